using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>A byte order mark before JSON is ignored, as RFC 8259 allows.</summary>
public sealed class JsonByteOrderMarkTests
{
    private static readonly JsonFormat Format = JsonFormat.WithReflection();

    [Fact]
    [Trait("RFC", "8259 8.1")]
    public void It_is_ignored_before_a_value() => Format.Read<List<int>>(Marked("[1,2]")).Should().Equal(1, 2);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(100)]
    [Trait("RFC", "8259 8.1")]
    public void It_is_ignored_at_the_start_of_a_stream(int piece) =>
        Format.ReadItems<List<int>>(new TricklingStream(Marked("[[1],[2]]"), piece, piece)).Select(one => one[0]).Should().Equal(1, 2);

    [Fact]
    public void It_is_not_written() => JsonFormatTests.Written(Format, 1).Should().Equal((byte)'1');

    [Theory]
    [InlineData("[1,x]")]
    [InlineData("[1,\"a\"]")]
    public void Offsets_count_it(string json)
    {
        OffsetOf(Marked(json)).Should().Be(OffsetOf(Encoding.UTF8.GetBytes(json)) + 3);

        static long? OffsetOf(byte[] payload) =>
            payload.Invoking(one => Format.Read<List<int>>(one)).Should().Throw<CoapPayloadException>().Which.Offset;
    }

    [Theory]
    [InlineData("EFBBBFEFBBBF31")]
    [InlineData("5BEFBBBF5D")]
    [InlineData("EFBB31")]
    [InlineData("FFFE3100")]
    [InlineData("EFBBBF")]
    public void Other_marks_and_other_places_are_errors(string hex)
    {
        var bytes = Convert.FromHexString(hex);

        bytes.Invoking(one => Format.Read<int>(one)).Should().Throw<CoapPayloadException>();
        bytes.Invoking(one => Format.ReadItems<int>(new MemoryStream(one)).ToList()).Should().Throw<CoapPayloadException>();
    }

    private static byte[] Marked(string json) => [.. Encoding.UTF8.Preamble, .. Encoding.UTF8.GetBytes(json)];
}
