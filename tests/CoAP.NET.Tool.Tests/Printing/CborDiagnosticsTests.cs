using CoAP.Tool.Printing;

namespace CoAP.Tool.Tests.Printing;

[Trait("RFC", "8949 8")]
public sealed class CborDiagnosticsTests
{
    /// <summary>Examples of RFC 8949, appendix A.</summary>
    [Theory]
    [InlineData("00", "0")]
    [InlineData("1864", "100")]
    [InlineData("1bffffffffffffffff", "18446744073709551615")]
    [InlineData("3bffffffffffffffff", "-18446744073709551616")]
    [InlineData("3903e7", "-1000")]
    [InlineData("f93c00", "1.0")]
    [InlineData("fb3ff199999999999a", "1.1")]
    [InlineData("fa47c35000", "100000.0")]
    [InlineData("f97c00", "Infinity")]
    [InlineData("fa7fc00000", "NaN")]
    [InlineData("fbfff0000000000000", "-Infinity")]
    [InlineData("f4", "false")]
    [InlineData("f6", "null")]
    [InlineData("f7", "undefined")]
    [InlineData("f0", "simple(16)")]
    [InlineData("f8ff", "simple(255)")]
    [InlineData("c11a514b67b0", "1(1363896240)")]
    [InlineData("d818456449455446", "24(h'6449455446')")]
    [InlineData("62225c", "\"\\\"\\\\\"")]
    [InlineData("8301820203820405", "[1, [2, 3], [4, 5]]")]
    [InlineData("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}")]
    [InlineData("5f42010243030405ff", "(_ h'0102', h'030405')")]
    [InlineData("825fff7fff", "[''_, \"\"_]")]
    [InlineData("9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]")]
    [InlineData("bf61610161629f0203ffff", "{_ \"a\": 1, \"b\": [_ 2, 3]}")]
    public void Prints_the_examples_of_the_specification(string hex, string expected) =>
        CborDiagnostics.Describe(Convert.FromHexString(hex)).Should().Be(expected);

    /// <summary>Examples of RFC 8949, appendix F: not well-formed.</summary>
    [Theory]
    [InlineData("18")]
    [InlineData("81")]
    [InlineData("a20102")]
    [InlineData("a1")]
    [InlineData("5bffffffffffffffff010203")]
    [InlineData("9bffffffffffffffff")]
    [InlineData("1c")]
    [InlineData("fc")]
    [InlineData("f818")]
    [InlineData("5f00ff")]
    [InlineData("5f5f4100ffff")]
    [InlineData("ff")]
    [InlineData("8118ff00ff")]
    [InlineData("a100ff")]
    [InlineData("bf00ff")]
    [InlineData("1f")]
    [InlineData("9f01")]
    public void Refuses_what_is_not_well_formed(string hex)
    {
        var describe = () => CborDiagnostics.Describe(Convert.FromHexString(hex));

        describe.Should().Throw<FormatException>().WithMessage("*well-formed*");
    }

    [Fact]
    public void Refuses_an_item_that_is_too_deep()
    {
        var describe = () => CborDiagnostics.Describe(Enumerable.Repeat((byte)0x81, 100_000).ToArray());

        describe.Should().Throw<FormatException>().WithMessage("*64 levels*");
    }

    [Fact]
    public void Nesting_cannot_make_the_notation_arbitrarily_long()
    {
        byte[] payload = [.. Enumerable.Repeat((byte)0x81, 62), 0x9A, 0x00, 0x00, 0xEA, 0x60, .. new byte[60_000]];
        var describe = () => CborDiagnostics.Describe(payload);

        describe.Should().Throw<FormatException>().WithMessage("*longer than*");
    }

    [Fact]
    public void Breaks_long_maps_into_lines()
    {
        var (key, value) = (string.Concat(Enumerable.Repeat("6b", 40)), string.Concat(Enumerable.Repeat("79", 30)));

        var text = CborDiagnostics.Describe(Convert.FromHexString($"a27828{key}016178781e{value}"));

        text.Should().Be($"{{\n  \"{new string('k', 40)}\": 1,\n  \"x\": \"{new string('y', 30)}\"\n}}");
    }
}
