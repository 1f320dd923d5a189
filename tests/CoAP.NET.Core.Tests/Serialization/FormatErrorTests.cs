using CoAP.TestSupport;

namespace CoAP.Serialization;

public class FormatErrorTests
{
    [Theory]
    [InlineData(FormatError.Truncated, 0, "", "no bytes")]
    [InlineData(FormatError.Truncated, 3, "40 01 12", "three bytes")]
    [InlineData(FormatError.UnknownVersion, 0, "80 01 1234", "version 2")]
    [InlineData(FormatError.UnknownVersion, 0, "00", "version 0, and nothing else to judge")]
    [InlineData(FormatError.ReservedTokenLength, 4, "4f 01 1234", "token length 15")]
    [InlineData(FormatError.Truncated, 4, "44 01 1234 010203", "a token of four bytes of which three are there")]
    [InlineData(FormatError.Truncated, 4, "4d 01 1234", "an extended token length of which no byte is there")]
    [InlineData(FormatError.Truncated, 4, "4e 01 1234 00", "an extended token length of which one byte is there")]
    [InlineData(FormatError.Truncated, 5, "4d 01 1234 00 00000000", "a token of 13 bytes of which four are there")]
    [InlineData(FormatError.EmptyMessageWithContent, 4, "41 00 1234 00", "an Empty message with a token")]
    [InlineData(FormatError.EmptyMessageWithContent, 4, "40 00 1234 b1 61", "an Empty message with an option")]
    [InlineData(FormatError.EmptyMessageWithContent, 4, "40 00 1234 ff 61", "an Empty message with a payload")]
    [InlineData(FormatError.EmptyMessageWithContent, 4, "41 00 1234", "an Empty message that only announces a token")]
    [InlineData(FormatError.ReservedCodeClass, 1, "40 20 1234", "code 1.00")]
    [InlineData(FormatError.ReservedCodeClass, 1, "40 60 1234", "code 3.00")]
    [InlineData(FormatError.ReservedCodeClass, 1, "40 df 1234", "code 6.31")]
    [InlineData(FormatError.ReservedCodeClass, 1, "40 e1 1234", "signaling in a datagram")]
    [InlineData(FormatError.ReservedOptionNibble, 4, "40 01 1234 f1 00", "delta 15, length 1")]
    [InlineData(FormatError.ReservedOptionNibble, 6, "40 01 1234 b1 61 0f", "length 15, delta 0")]
    [InlineData(FormatError.ReservedOptionNibble, 4, "40 01 1234 df 00", "length 15 behind an extended delta")]
    [InlineData(FormatError.OptionNumberTooLarge, 7, "40 01 1234 e0 fef2 10", "65,535 + 1")]
    [InlineData(FormatError.OptionNumberTooLarge, 4, "40 01 1234 e0 fef3", "65,536 at once")]
    [InlineData(FormatError.Truncated, 4, "40 01 1234 d0", "an extended delta of which no byte is there")]
    [InlineData(FormatError.Truncated, 4, "40 01 1234 e0 00", "an extended delta of which one byte is there")]
    [InlineData(FormatError.Truncated, 4, "40 01 1234 0d", "an extended length of which no byte is there")]
    [InlineData(FormatError.Truncated, 4, "40 01 1234 0e 00", "an extended length of which one byte is there")]
    [InlineData(FormatError.Truncated, 4, "40 01 1234 b5 61626364", "a value of five bytes of which four are there")]
    [InlineData(FormatError.Truncated, 4, "40 01 1234 be ffff 61", "a value of 65,804 bytes of which one is there")]
    [InlineData(FormatError.EmptyPayloadAfterMarker, 4, "40 01 1234 ff", "a marker and nothing else")]
    [InlineData(FormatError.EmptyPayloadAfterMarker, 6, "40 01 1234 b1 61 ff", "a marker behind an option and nothing else")]
    [Trait("RFC", "7252 3")]
    [Trait("RFC", "7252 3.1")]
    public void A_datagram_that_breaks_one_clause_is_refused_with_it(FormatError expected, int at, string hex, string because)
    {
        var isMessage = CoapMessageSerializer.Datagram.TryRead(Hex.Bytes(hex), out var message, out var error, out var offset);

        (isMessage, message).Should().Be((false, null));
        (error, offset).Should().Be((expected, at), because);
        CoapMessageSerializer.Datagram.Invoking(one => one.Deserialize(Hex.Bytes(hex)))
            .Should().Throw<CoapFormatException>().Where(thrown => thrown.Reason == expected && thrown.Offset == at);
    }

    [Theory]
    [InlineData(FormatError.Truncated, "", "no bytes")]
    [InlineData(FormatError.Truncated, "d0 00", "no code")]
    [InlineData(FormatError.Truncated, "0d 01", "no extended token length")]
    [InlineData(FormatError.Truncated, "02 01 01", "a token of two bytes of which one is there")]
    [InlineData(FormatError.Truncated, "30 01 b1 61", "a tail of three bytes of which two are there")]
    [InlineData(FormatError.Truncated, "f0 ffffffff 01 b1 61", "4 GiB announced")]
    [InlineData(FormatError.TrailingBytes, "10 01 b1 61", "a tail of one byte of which two are there")]
    [InlineData(FormatError.Truncated, "20 01 b2 61", "an option that ends behind the message")]
    [InlineData(FormatError.ReservedTokenLength, "0f 01", "token length 15")]
    [InlineData(FormatError.EmptyMessageWithContent, "01 00 7f", "an Empty message with a token")]
    [InlineData(FormatError.EmptyMessageWithContent, "20 00 b1 61", "an Empty message with an option")]
    [InlineData(FormatError.ReservedCodeClass, "00 20", "code 1.00")]
    [InlineData(FormatError.ReservedCodeClass, "00 c1", "code 6.01")]
    [InlineData(FormatError.ReservedOptionNibble, "10 01 f0", "delta 15")]
    [InlineData(FormatError.OptionNumberTooLarge, "40 01 e0fef2 10", "65,535 + 1")]
    [InlineData(FormatError.EmptyPayloadAfterMarker, "10 01 ff", "a marker and nothing else")]
    [Trait("RFC", "8323 3.2")]
    public void A_framed_message_that_breaks_one_clause_is_refused_with_it(FormatError expected, string hex, string because)
    {
        CoapMessageSerializer.Stream.TryRead(Hex.Bytes(hex), out var message, out var error, out _).Should().BeFalse();

        error.Should().Be(expected, because);
        message.Should().BeNull();
    }

    [Theory]
    [InlineData("80 01 1234", false, "an unknown version is ignored silently")]
    [InlineData("40 01 1234 ff", true, "a malformed CON is rejected")]
    [InlineData("50 01 1234 ff", false, "a malformed NON is ignored")]
    [InlineData("60 45 1234 ff", false, "a malformed ACK is ignored")]
    [InlineData("70 00 1234 ff", false, "a malformed Reset is ignored")]
    [InlineData("40 01 12", false, "there is no message ID to reset")]
    [InlineData("", false, "there is nothing to reset")]
    [Trait("RFC", "7252 4.2")]
    [Trait("RFC", "7252 4.3")]
    public void The_reaction_to_a_malformed_datagram_follows_from_its_type(string hex, bool isRejected, string because)
    {
        CoapMessageSerializer.Datagram.TryRead(Hex.Bytes(hex), out _, out var error, out _).Should().BeFalse();

        DatagramHeader.IsRejected(error, Hex.Bytes(hex)).Should().Be(isRejected, because);
    }

    [Fact]
    public void Every_error_has_a_text_that_names_its_section()
    {
        foreach (var error in Enum.GetValues<FormatError>().Where(error => error != FormatError.None))
        {
            error.Describe().Should().Contain("RFC").And.Contain("section");
        }
    }
}
