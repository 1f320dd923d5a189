using System.Text;
using CoAP.Tool.Observing;

namespace CoAP.Tool.Tests.Observing;

public sealed class PayloadNumbersTests
{
    [Theory]
    [InlineData(ContentFormats.TextPlain, "21.5", "value=21.5")]
    [InlineData(ContentFormats.TextPlain, " 21.5 °C", "value=21.5 °C")]
    [InlineData(ContentFormats.TextPlain, "warm", "")]
    [InlineData(ContentFormats.Json, """{"a":1,"b":{"c":[2,"x",3]},"d":null}""", "a=1, b/c/0=2, b/c/2=3")]
    [InlineData(ContentFormats.Json, "7", "value=7")]
    [InlineData(ContentFormats.Json, """{"a":1""", "")]
    [InlineData(ContentFormats.SenmlJson, """[{"bn":"x/","n":"t","u":"Cel","v":3},{"n":"s","vs":"on"}]""", "x/t=3 Cel")]
    public void Numbers_are_found_by_name(uint format, string payload, string expected) => Describe(format, Encoding.UTF8.GetBytes(payload)).Should().Be(expected);

    [Theory]
    [InlineData("a2616101616282f93c0002", "a=1, b/0=1, b/1=2")]
    [InlineData("a10a05", "10=5")]
    [InlineData("a1616118", "")]
    public void Numbers_in_CBOR_are_found_by_name(string hex, string expected) => Describe(ContentFormats.Cbor, Convert.FromHexString(hex)).Should().Be(expected);

    [Fact]
    public void A_payload_gives_at_most_twenty_numbers() =>
        PayloadNumbers.Find(ContentFormats.Json, Encoding.UTF8.GetBytes($"[{string.Join(',', Enumerable.Range(0, 1000))}]")).Should().HaveCount(20);

    private static string Describe(uint format, byte[] payload) => string.Join(
        ", ", PayloadNumbers.Find(format, payload).Select(static one => FormattableString.Invariant($"{one.Name}={one.Value} {one.Unit}").TrimEnd()));
}
