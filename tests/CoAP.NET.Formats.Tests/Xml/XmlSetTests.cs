using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>XmlSerializer creates sets whose hash codes a peer can foresee, so they stay small.</summary>
public sealed class XmlSetTests
{
    private static readonly XmlSerializerFormat Format =
        new([typeof(XmlNumbers), typeof(XmlDevice)], new PayloadLimits { MaxForeseeableKeys = 3 });

    [Fact]
    public void A_set_of_numbers_is_bounded()
    {
        var read = () => Format.Read<XmlNumbers>(Numbers(4));

        Format.Read<XmlNumbers>(Numbers(3)).Numbers.Should().HaveCount(3);
        read.Should().Throw<CoapPayloadException>().WithMessage("An element has more than 3 children; at most 3 are allowed.");
    }

    [Fact]
    public void A_type_without_a_set_is_not_bounded() =>
        Format.Read<XmlDevice>("<device xmlns='urn:example'><tag/><tag/><tag/><tag/></device>"u8.ToArray()).Tags.Should().HaveCount(4);

    private static byte[] Numbers(int count)
    {
        var items = Enumerable.Range(0, count).Select(static number => $"<long>{number}</long>");
        return Encoding.UTF8.GetBytes($"<XmlNumbers><Numbers>{string.Concat(items)}</Numbers></XmlNumbers>");
    }
}

public sealed class XmlNumbers
{
    public HashSet<long> Numbers { get; set; } = [];
}
