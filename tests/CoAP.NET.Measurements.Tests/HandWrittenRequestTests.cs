using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Tests;

public class HandWrittenRequestTests
{
    [Fact]
    public void A_datagram_is_a_confirmable_request()
    {
        var request = HandWrittenRequest.Datagram(HandWrittenRequest.Put, "sum", [1, 2]);

        var bytes = request.Number(0x7d34, 0x20304050);

        Convert.ToHexString(bytes).Should().Be("44037D34" + "20304050" + "B373756D" + "FF0102");
    }

    [Theory]
    [InlineData(0, "44" + "02" + "01020304" + "B373756D")]
    [InlineData(7, "C4" + "02" + "01020304" + "B373756D" + "FF00010203040506")]
    [InlineData(8, "D400" + "02" + "01020304" + "B373756D" + "FF0001020304050607")]
    public void A_frame_begins_with_the_length_of_options_and_payload(int payload, string expected)
    {
        var request = HandWrittenRequest.Frame(HandWrittenRequest.Post, "sum", [.. Enumerable.Range(0, payload).Select(static at => (byte)at)]);

        var bytes = request.Number(messageId: 0xFFFF, token: 0x01020304);

        Convert.ToHexString(bytes).Should().Be(expected);
    }

    [Fact]
    public void A_frame_that_is_longer_than_it_can_say_is_refused()
    {
        HandWrittenRequest.Frame(HandWrittenRequest.Post, "sum", new byte[263]).Bytes.Length.Should().Be(3 + 4 + 268);

        var act = static () => HandWrittenRequest.Frame(HandWrittenRequest.Post, "sum", new byte[264]);

        act.Should().Throw<ArgumentException>().WithMessage("A frame has 269 bytes; at most 268 are written here.*");
    }
}
