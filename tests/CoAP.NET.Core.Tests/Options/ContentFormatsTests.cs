using System.Reflection;

namespace CoAP.MediaTypes;

public class ContentFormatsTests
{
    private static uint[] Constants =>
        [.. typeof(ContentFormats).GetFields(BindingFlags.Public | BindingFlags.Static).Select(constant => (uint)constant.GetRawConstantValue()!)];

    [Theory]
    [InlineData(0, "text/plain; charset=utf-8")]
    [InlineData(40, "application/link-format")]
    [InlineData(41, "application/xml")]
    [InlineData(42, "application/octet-stream")]
    [InlineData(47, "application/exi")]
    [InlineData(50, "application/json")]
    [Trait("RFC", "7252 12.3")]
    public void Names_what_the_RFC_registers(uint id, string name)
    {
        ContentFormats.TryGetName(id, out var contentType, out var coding).Should().BeTrue();

        contentType.Should().Be(name);
        coding.Should().BeNull();
    }

    [Theory]
    [InlineData(51, "application/json-patch+json")]
    [InlineData(52, "application/merge-patch+json")]
    [InlineData(60, "application/cbor")]
    [InlineData(62, "application/multipart-core")]
    [InlineData(110, "application/senml+json")]
    [InlineData(112, "application/senml+cbor")]
    [InlineData(115, "application/sensml-exi")]
    [InlineData(257, "application/concise-problem-details+cbor")]
    [InlineData(272, "application/missing-blocks+cbor-seq")]
    [InlineData(310, "application/senml+xml")]
    [InlineData(311, "application/sensml+xml")]
    [InlineData(322, "application/senml-etch+cbor")]
    [InlineData(432, "application/td+json")]
    [InlineData(11542, "application/vnd.oma.lwm2m+tlv")]
    public void Names_what_later_RFCs_and_others_register(uint id, string name)
    {
        ContentFormats.TryGetName(id, out var contentType, out _).Should().BeTrue();
        ContentFormats.TryGetId(name, out var found).Should().BeTrue();

        contentType.Should().Be(name);
        found.Should().Be(id);
    }

    [Theory]
    [InlineData("text/plain")]
    [InlineData("TEXT/Plain;Charset=UTF-8")]
    [InlineData(" text/plain ;  charset=\"utf-8\" ")]
    public void Finds_names_however_they_are_written(string name)
    {
        ContentFormats.TryGetId(name, out var id).Should().BeTrue();

        id.Should().Be(ContentFormats.TextPlain);
    }

    [Fact]
    public void Tells_codings_apart()
    {
        ContentFormats.TryGetId("application/json", out var plain).Should().BeTrue();
        ContentFormats.TryGetId("application/json", out var deflated, "Deflate").Should().BeTrue();
        ContentFormats.TryGetName(deflated, out var name, out var coding).Should().BeTrue();

        (plain, deflated, name, coding).Should().Be((50, 11050, "application/json", "deflate"));
        ContentFormats.TryGetId("application/xml", out _, "deflate").Should().BeFalse();
    }

    [Theory]
    [InlineData("")]
    [InlineData("application")]
    [InlineData("application/js on")]
    [InlineData("text/plain; charset=latin-1")]
    public void Does_not_find_what_is_not_registered(string name)
    {
        ContentFormats.TryGetId(name, out _).Should().BeFalse();
        ContentFormats.TryGetName(65_000, out _, out _).Should().BeFalse();
    }

    [Fact]
    public void Has_a_constant_a_name_and_a_way_back_for_each_id()
    {
        Constants.Should().OnlyHaveUniqueItems().And.HaveCountGreaterThan(70).And.BeInAscendingOrder();

        foreach (var id in Constants)
        {
            ContentFormats.TryGetName(id, out var name, out var coding).Should().BeTrue("{0} is a constant", id);
            ContentFormats.TryGetId(name!, out var back, coding).Should().BeTrue("{0} has the name {1}", id, name);
            back.Should().Be(id);
        }
    }
}
