using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls;

public sealed class RoutabilityMessageTests
{
    [Theory, Trait("RFC", "9853 4"), InlineData("00 0102030405060708", 0), InlineData("01 0102030405060708", 1), InlineData("02 0102030405060708", 2)]
    public void A_message_is_a_type_and_a_cookie_of_eight_bytes(string bytes, int type)
    {
        RoutabilityMessage.TryRead(Hex.Bytes(bytes), out var message).Should().BeTrue();

        message.Should().Be(new RoutabilityMessage((RoutabilityMessageType)type, 0x0102030405060708));
        Hex.Text(message.ToBytes()).Should().Be(bytes.Replace(" ", "", StringComparison.Ordinal));
    }

    [Theory, Trait("RFC", "9853 4"), InlineData(""), InlineData("00"), InlineData("00 01020304050607"), InlineData("00 010203040506070809")]
    public void Another_length_is_malformed(string bytes) => RoutabilityMessage.TryRead(Hex.Bytes(bytes), out _).Should().BeFalse();
}
