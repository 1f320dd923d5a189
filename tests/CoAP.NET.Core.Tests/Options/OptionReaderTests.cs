using CoAP.TestSupport;

namespace CoAP.Options;

public class OptionReaderTests
{
    [Fact]
    public void Walks_to_the_payload_marker()
    {
        var reader = new OptionReader(Hex.Bytes("""
            31 61        # Uri-Host (3): a
            00           # and once more, without bytes
            d1 f0 62     # 256 = 3 + 13 + 240
            ff 63        # the payload
            """));

        reader.Next().Should().BeTrue();
        (reader.Number, Hex.Text(reader.Value)).Should().Be((3, "61"));
        reader.Next().Should().BeTrue();
        (reader.Number, Hex.Text(reader.Value)).Should().Be((3, ""));
        reader.Next().Should().BeTrue();
        (reader.Number, Hex.Text(reader.Value)).Should().Be((256, "62"));
        reader.Next().Should().BeFalse();
        (reader.Error, reader.Position).Should().Be((FormatError.None, 6));
    }

    [Theory]
    [InlineData("31 61 f1 00", FormatError.ReservedOptionNibble)]
    [InlineData("31 61 1f 00", FormatError.ReservedOptionNibble)]
    [InlineData("31 61 e0 fef1", FormatError.OptionNumberTooLarge)]
    [InlineData("31 61 12 00", FormatError.Truncated)]
    [InlineData("31 61 d1", FormatError.Truncated)]
    [Trait("RFC", "7252 3.1")]
    public void Stops_at_an_option_that_breaks_a_rule(string hex, FormatError expected)
    {
        var reader = new OptionReader(Hex.Bytes(hex));

        reader.Next().Should().BeTrue();
        reader.Next().Should().BeFalse();

        (reader.Error, reader.Position, reader.Value.Length).Should().Be((expected, 2, 0));
    }
}
