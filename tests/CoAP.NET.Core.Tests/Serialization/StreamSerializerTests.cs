using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>Messages against the bytes that RFC 8323 shows.</summary>
public class StreamSerializerTests
{
    public static TheoryData<string, string, CoapMessage> Figures => new()
    {
        { "section 3.2, no options or payload", "01 43 7f", new() { Code = ResponseCode.Valid, Token = new([0x7f]) } },
        { "section 5.7, ping", "01 e2 42", new() { Code = SignalCode.Ping, Token = new([0x42]) } },
        { "section 5.7, pong", "01 e3 42", new() { Code = SignalCode.Pong, Token = new([0x42]) } },
        { "section 3.4, an empty message", "00 00", new() },
        {
            "section 5.3, a CSM", """
            60 e1        # six bytes of options, no token, 7.01
            22 4000      # Max-Message-Size (2): 16384
            20           # Block-Wise-Transfer (4)
            21 20        # Extended-Token-Length (6): 32
            """,
            new() { Code = SignalCode.Csm, Options = [new MaxMessageSize(16_384), new BlockWiseTransfer(), new ExtendedTokenLength(32)] }
        },
        {
            "a request of 13 bytes behind the token", """
            d1 00 01 20                      # 13 + 0, token of one byte, GET
            bc 74656d706572617475726573      # Uri-Path: temperatures
            """,
            new() { Code = RequestCode.Get, Token = new([0x20]), Options = [new UriPath("temperatures")] }
        },
    };

    [Theory]
    [MemberData(nameof(Figures))]
    [Trait("RFC", "8323 3.2")]
    [Trait("RFC", "8323 5.7")]
    public void Writes_and_reads_the_bytes_of_the_figure(string figure, string hex, CoapMessage message)
    {
        var bytes = Hex.Bytes(hex);

        Hex.Text(CoapMessageSerializer.Stream.Serialize(message)).Should().Be(Hex.Text(bytes), figure);
        CoapMessageSerializer.Stream.GetSize(message).Should().Be(bytes.Length);
        CoapMessageSerializer.Stream.Deserialize(bytes.AsSpan()).ShouldBe(message, figure);
        CoapMessageSerializer.Stream.Deserialize(bytes.AsMemory()).ShouldBe(message, figure);
    }

    [Theory]
    [InlineData(2, "20 45")]
    [InlineData(12, "c0 45")]
    [InlineData(13, "d0 00 45")]
    [InlineData(268, "d0 ff 45")]
    [InlineData(269, "e0 0000 45")]
    [InlineData(65_804, "e0 ffff 45")]
    [InlineData(65_805, "f0 00000000 45")]
    [InlineData(1_000_000, "f0 000e4133 45")]
    [Trait("RFC", "8323 3.2")]
    public void Counts_from_the_options_to_the_end_of_the_payload(int tail, string header)
    {
        var payload = new byte[tail - 1];
        Array.Fill(payload, (byte)0x61);

        var bytes = CoapMessageSerializer.Stream.Serialize(new() { Code = ResponseCode.Content, Payload = payload });

        bytes.Should().StartWith(Hex.Bytes(header + " ff 61")).And.HaveCount(Hex.Bytes(header).Length + tail);
        CoapMessageSerializer.Stream.Deserialize(bytes).Payload.Length.Should().Be(payload.Length);
    }

    [Fact]
    [Trait("RFC", "7252 4.1")]
    public void Refuses_to_write_what_nobody_could_read()
    {
        var serializer = CoapMessageSerializer.Stream;

        serializer.Invoking(one => one.Serialize(new() { Token = new([1]) })).Should().Throw<ArgumentException>().WithMessage("*Empty*");
        serializer.Invoking(one => one.Serialize(new() { Code = new(6, 0) })).Should().Throw<ArgumentException>().WithMessage("*reserved*");
    }
}
