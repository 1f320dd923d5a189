using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>Messages against the bytes that the figures of RFC 7252 show.</summary>
public class DatagramSerializerTests
{
    public static TheoryData<string, string, CoapMessage> Figures => new()
    {
        {
            "figure 16, request", """
            40 01 7d34                    # CON, no token, GET, 0x7d34
            bb 74656d7065726174757265     # Uri-Path: temperature
            """,
            new() { Code = RequestCode.Get, MessageId = new(0x7d34), Options = [new UriPath("temperature")] }
        },
        {
            "figure 16, response", """
            60 45 7d34                    # ACK, 2.05, 0x7d34
            ff 32322e332043               # 22.3 C
            """,
            new() { Type = MessageType.Acknowledgement, Code = ResponseCode.Content, MessageId = new(0x7d34), Payload = "22.3 C"u8.ToArray() }
        },
        {
            "figure 17, request", """
            41 01 7d35 20                 # CON, token 0x20, GET, 0x7d35
            bb 74656d7065726174757265     # Uri-Path: temperature
            """,
            new() { Code = RequestCode.Get, MessageId = new(0x7d35), Token = new([0x20]), Options = [new UriPath("temperature")] }
        },
        {
            "figure 17, response", """
            61 45 7d35 20                 # ACK, 2.05, 0x7d35, token 0x20
            ff 32322e332043               # 22.3 C
            """,
            new()
            {
                Type = MessageType.Acknowledgement, Code = ResponseCode.Content, MessageId = new(0x7d35), Token = new([0x20]), Payload = "22.3 C"u8.ToArray(),
            }
        },
        {
            "figure 20, the empty acknowledgement", "60 00 7d38",
            new() { Type = MessageType.Acknowledgement, MessageId = new(0x7d38) }
        },
        {
            "figure 20, the separate response", """
            41 45 ad7b 53                 # CON, 2.05, 0xad7b, token 0x53
            ff 32322e332043               # 22.3 C
            """,
            new() { Code = ResponseCode.Content, MessageId = new(0xad7b), Token = new([0x53]), Payload = "22.3 C"u8.ToArray() }
        },
        {
            "figure 21, the reset", "70 00 ad7c",
            new() { Type = MessageType.Reset, MessageId = new(0xad7c) }
        },
        {
            "figure 22, request", """
            51 01 7d40 75                 # NON, GET, 0x7d40, token 0x75
            bb 74656d7065726174757265     # Uri-Path: temperature
            """,
            new()
            {
                Type = MessageType.NonConfirmable, Code = RequestCode.Get, MessageId = new(0x7d40), Token = new([0x75]), Options = [new UriPath("temperature")],
            }
        },
        {
            "figure 23, not found", "51 84 952a 86",
            new() { Type = MessageType.NonConfirmable, Code = ResponseCode.NotFound, MessageId = new(0x952a), Token = new([0x86]) }
        },
        {
            "section 3.1, every length of delta and value", """
            48 01 0001 0102030405060708   # CON, GET, a token of eight bytes
            36 73656e736f72               # Uri-Host (3): sensor
            8d 00 6162636465666768696a6b6c6d   # Uri-Path (11): 13 letters
            d1 24 64                      # Size1 (60 = 11 + 13 + 36): 100
            e0 0010                       # 345 = 60 + 269 + 16
            ff 01                         # the payload
            """,
            new()
            {
                Code = RequestCode.Get, MessageId = new(1), Token = new([1, 2, 3, 4, 5, 6, 7, 8]), Payload = new byte[] { 1 },
                Options = [new UriHost("sensor"), new UriPath("abcdefghijklm"), new Size1(100), new UnknownOption(345, default)],
            }
        },
    };

    [Theory]
    [MemberData(nameof(Figures))]
    [Trait("RFC", "7252 3")]
    [Trait("RFC", "7252 A")]
    public void Writes_the_bytes_of_the_figure(string figure, string hex, CoapMessage message)
    {
        Hex.Text(CoapMessageSerializer.Datagram.Serialize(message)).Should().Be(Hex.Text(Hex.Bytes(hex)), figure);
        CoapMessageSerializer.Datagram.GetSize(message).Should().Be(Hex.Bytes(hex).Length);
    }

    [Theory]
    [MemberData(nameof(Figures))]
    [Trait("RFC", "7252 3")]
    [Trait("RFC", "7252 A")]
    public void Reads_the_bytes_of_the_figure(string figure, string hex, CoapMessage message)
    {
        var copied = CoapMessageSerializer.Datagram.Deserialize(Hex.Bytes(hex).AsSpan());
        var kept = CoapMessageSerializer.Datagram.Deserialize(new ReadOnlyMemory<byte>(Hex.Bytes(hex)));

        copied.ShouldBe(message, figure);
        kept.ShouldBe(message, figure);
    }

    [Fact]
    public void Copies_from_a_span_and_keeps_memory()
    {
        var bytes = Hex.Bytes("40 01 0001 b1 61 ff 07");

        var copied = CoapMessageSerializer.Datagram.Deserialize(bytes.AsSpan());
        var kept = CoapMessageSerializer.Datagram.Deserialize(bytes.AsMemory());
        bytes[^1] = 9;

        copied.Payload.ToArray().Should().Equal(7);
        kept.Payload.ToArray().Should().Equal(9);
    }

    [Fact]
    [Trait("RFC", "7252 4.1")]
    public void Refuses_to_write_what_nobody_could_read()
    {
        var serializer = CoapMessageSerializer.Datagram;

        serializer.Invoking(one => one.Serialize(new() { Token = new([1]) })).Should().Throw<ArgumentException>().WithMessage("*Empty*");
        serializer.Invoking(one => one.Serialize(new() { Payload = new byte[1] })).Should().Throw<ArgumentException>();
        serializer.Invoking(one => one.Serialize(new() { Code = new(1, 0) })).Should().Throw<ArgumentException>().WithMessage("*1.00*reserved*");
        serializer.Invoking(one => one.Serialize(new() { Code = SignalCode.Ping })).Should().Throw<ArgumentException>().WithMessage("*signaling*");
        serializer.Invoking(one => one.Write(new byte[3], new() { Code = RequestCode.Get })).Should().Throw<ArgumentException>();
    }

    [Fact]
    public void Has_no_limit_of_a_transport()
    {
        var payload = new byte[131_072];
        new Random(1).NextBytes(payload);

        var bytes = CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Put, Payload = payload });

        bytes.Length.Should().Be(131_072 + 5);
        CoapMessageSerializer.Datagram.Deserialize(bytes).Payload.Span.SequenceEqual(payload).Should().BeTrue();
    }
}
