using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>RFC 8974, appendix A: the extended length stands directly before the token, in the stream form behind the code.</summary>
public class ExtendedTokenTests
{
    [Theory]
    [InlineData(8, "48 01 1234", "18 01")]
    [InlineData(9, "49 01 1234", "19 01")]
    [InlineData(12, "4c 01 1234", "1c 01")]
    [InlineData(13, "4d 01 1234 00", "1d 01 00")]
    [InlineData(268, "4d 01 1234 ff", "1d 01 ff")]
    [InlineData(269, "4e 01 1234 0000", "1e 01 0000")]
    [InlineData(65_804, "4e 01 1234 ffff", "1e 01 ffff")]
    [Trait("RFC", "8974 2.1")]
    [Trait("RFC", "8974 A")]
    public void Stands_before_the_token_in_both_forms(int length, string datagramStart, string streamStart)
    {
        var token = Enumerable.Range(0, length).Select(index => (byte)(index * 31 + 7)).ToArray();
        var message = new CoapMessage { Code = RequestCode.Get, MessageId = new(0x1234), Token = new(token), Options = [new IfNoneMatch()] };

        var datagram = CoapMessageSerializer.Datagram.Serialize(message);
        var stream = CoapMessageSerializer.Stream.Serialize(message);

        datagram.Should().Equal([.. Hex.Bytes(datagramStart), .. token, 0x50]);
        stream.Should().Equal([.. Hex.Bytes(streamStart), .. token, 0x50]);
        CoapMessageSerializer.Datagram.Deserialize(datagram).ShouldBe(message);
        CoapMessageSerializer.Stream.Deserialize(stream).Token.Should().Be(message.Token);
    }
}
