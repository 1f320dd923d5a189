using System.Text;

namespace CoAP.Formats.Tests;

public sealed class XmlSerializerFormatTests
{
    private static readonly XmlSerializerFormat Format = new([typeof(XmlDevice)], new PayloadLimits { MaxCount = 3, MaxLength = 20, MaxDepth = 10 });

    [Fact]
    public void Reads_what_it_writes()
    {
        var device = new XmlDevice { Id = 7, Tags = ["a", "b"], Children = [new XmlDevice { Id = 8 }] };
        var bytes = JsonFormatTests.Written(Format, device);

        Encoding.UTF8.GetString(bytes).Should().Contain("<device").And.Contain("id=\"7\"").And.Contain("<tag>a</tag>");
        Format.Read<XmlDevice>(bytes).Should().BeEquivalentTo(device);
    }

    [Theory]
    [InlineData("", "Invalid XML*")]
    [InlineData("<!DOCTYPE a><device xmlns='urn:example'/>", "Invalid XML*")]
    [InlineData("<other/>", "*")]
    [InlineData("<device xmlns='urn:example' id='x'/>", "*expected type.")]
    [InlineData("<device xmlns='urn:example'><tag/><tag/><tag/><tag/></device>", "An element has more than 3 children*")]
    [InlineData("<device xmlns='urn:example'><tag>123456789012345678901</tag></device>", "The XML exceeds a limit*")]
    public void Refuses_other_documents(string xml, string message)
    {
        var read = () => Format.Read<XmlDevice>(Encoding.UTF8.GetBytes(xml));

        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Fact]
    public void Refuses_deep_documents()
    {
        var xml = new StringBuilder().Insert(0, "<device xmlns='urn:example'>", 11).ToString();
        var read = () => Format.Read<XmlDevice>(Encoding.UTF8.GetBytes(xml));

        read.Should().Throw<CoapPayloadException>().WithMessage("The XML exceeds a limit: 10 levels*");
    }

    [Fact]
    public void Handles_only_its_types()
    {
        Format.Handles(typeof(XmlDevice)).Should().BeTrue();
        Format.Handles(typeof(int)).Should().BeFalse();
        FluentActions.Invoking(() => Format.Read<int>(default)).Should().Throw<NotSupportedException>();
    }
}
