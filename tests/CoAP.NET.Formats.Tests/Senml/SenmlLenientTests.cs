using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>What some devices send beyond the RFC, where it has one meaning only.</summary>
public sealed class SenmlLenientTests
{
    private static readonly DateTimeOffset Now = DateTimeOffset.FromUnixTimeSeconds(1_800_000_000);

    [Theory]
    [Trait("RFC", "8428 6")]
    [InlineData("81 a3 22 c1 1a 5f5e1000 00 6161 02 01")]                      // bt
    [InlineData("81 a3 06 c1 1a 5f5e1000 00 6161 02 01")]                      // t
    [InlineData("81 a3 06 c1 fb 41d7d78400000000 00 6161 02 01")]              // t as a floating-point number
    [InlineData("81 a3 06 1a 5f5e1000 00 6161 02 01")]                         // without a tag
    public void A_time_in_CBOR_may_have_tag_1(string hex) =>
        SenmlCbor.Read(SenmlExamples.FromHex(hex)).ToMeasurements(Now)[0].Time
            .Should().Be(DateTimeOffset.FromUnixTimeSeconds(1_600_000_000));

    [Theory]
    [Trait("RFC", "8428 6")]
    [InlineData("81 a3 06 c1 0a 00 6161 02 01",
        "field 't' has tag 1 and is 10; tag 1 says that a time is absolute, and below 2^28 it is relative (RFC 8428, section 4.5.3)")]
    [InlineData("81 a3 22 c1 20 00 6161 02 01", "field 'bt' has tag 1 and is -1; *")]
    [InlineData("81 a4 22 1a 5f5e1000 06 c1 1a 5f5e1000 00 6161 02 01",
        "field 't' has tag 1, which says that a time is absolute, but there is a base time")]
    [InlineData("81 a3 06 c0 6a 323032302d30312d3031 00 6161 02 01", "field 't' is a time; a number is required")]
    [InlineData("81 a3 02 c1 1a 5f5e1000 00 6161 06 01", "field 'v' is a time; a number is required")]
    [InlineData("81 a3 07 c1 0a 00 6161 02 01", "field 'ut' is a time; a number is required")]
    public void Tag_1_is_refused_where_it_contradicts_the_meaning_of_the_field(string hex, string message) =>
        hex.Invoking(one => SenmlCbor.Read(SenmlExamples.FromHex(one)))
            .Should().Throw<CoapPayloadException>().WithMessage($"Record 1: {message}*");

    [Fact]
    [Trait("RFC", "8259 8.1")]
    public void A_byte_order_mark_before_JSON_is_ignored()
    {
        byte[] json = [.. Encoding.UTF8.Preamble, .. """[{"n":"a","v":1}]"""u8];
        SenmlRecord expected = new() { Name = "a", Value = 1 };

        SenmlJson.Read(json).Should().Equal(expected);
        SenmlStream.Read(new MemoryStream(json), ContentFormats.SensmlJson).Should().Equal(expected);
    }

    [Theory]
    [Trait("RFC", "8259 8.1")]
    [InlineData("[{\"n\":\"a\",\"v\":x}]")]
    [InlineData("[{\"n\":\"a\",\"u\":\"W\"}]")]
    public void Offsets_count_the_byte_order_mark(string json)
    {
        var bytes = Encoding.UTF8.GetBytes(json);

        OffsetOf([.. Encoding.UTF8.Preamble, .. bytes]).Should().Be(OffsetOf(bytes) + 3);

        static long? OffsetOf(byte[] payload) =>
            payload.Invoking(one => SenmlJson.Read(one)).Should().Throw<CoapPayloadException>().Which.Offset;
    }
}
