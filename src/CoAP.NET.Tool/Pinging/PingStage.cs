using System.Buffers;

namespace CoAP.Tool.Pinging;

/// <summary>
/// Turns the requests of a client into pings. Over datagrams, a request becomes an Empty message with the same message ID, which the peer answers with a
/// Reset (RFC 7252, section 4.3). Over a connection, it becomes a Ping with the same token, which the peer answers with a Pong (RFC 8323, section 5.4).
/// </summary>
/// <remarks>A ping takes the same path as a request: handshakes, retransmissions and the peer's limits apply. Every request of the client becomes a ping.</remarks>
internal sealed class PingStage(bool isReliable, PingWatch watch) : InlineStage<Frame, Frame>
{
    private const byte Get = 0x01;
    private const byte Ping = 0xE2;
    private const int DatagramHeader = 4;
    private const byte ConfirmableWithoutToken = 0x40;

    /// <summary>Returns the ping that a request becomes, for a trace. Other messages stay as they are.</summary>
    public static CoapMessage ToPing(CoapMessage message, bool isReliable) =>
        !message.Code.IsRequest ? message
        : isReliable ? new CoapMessage { Code = SignalCode.Ping, Token = message.Token }
        : new CoapMessage { Type = MessageType.Confirmable, MessageId = message.MessageId };

    protected override void Process(in Frame item) => Out.Emit(isReliable ? OnConnection(item) : InDatagram(item));

    private Frame InDatagram(in Frame frame)
    {
        var bytes = frame.Bytes.Span;
        if (bytes.Length < DatagramHeader || bytes[1] != Get) { return frame; }
        watch.OnSent(bytes[2..DatagramHeader]);
        return frame with { Bytes = new byte[] { ConfirmableWithoutToken, 0, bytes[2], bytes[3] } };
    }

    private Frame OnConnection(in Frame frame)
    {
        var header = StreamHeader.Read(frame.Bytes.Span);
        if (header.Code != Get) { return frame; }
        watch.OnSent(header.Token);
        var writer = new ArrayBufferWriter<byte>();
        writer.Write([(byte)header.Token.Length, Ping]);
        writer.Write(header.Token);
        return frame with { Bytes = writer.WrittenMemory };
    }
}
