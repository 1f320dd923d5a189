using System.Buffers;

namespace CoAP.Tool.Pinging;

/// <summary>
/// Turns the requests of a client into pings. Over datagrams, a request becomes an Empty message with the same message ID, which the peer answers with a
/// Reset (RFC 7252, section 4.3). Over a connection, it becomes a Ping with the same token, which the peer answers with a Pong (RFC 8323, section 5.4).
/// </summary>
/// <remarks>So a ping takes the same way as a request, with handshakes, retransmissions and the peer's limits. All requests of the client are pings.</remarks>
internal sealed class PingStage : InlineStage<Frame, Frame>
{
    private const byte Get = 0x01;
    private const byte Ping = 0xE2;
    private const int DatagramHeader = 4;
    private const byte ConfirmableWithoutToken = 0x40;
    private const byte Confirmable = 0;

    private readonly bool _isReliable;

    private PingStage(bool isReliable) => _isReliable = isReliable;

    /// <summary>The link that turns requests into pings and calls an action for each Pong of a connection.</summary>
    public static MeshLink With(Action pong) => MeshLink.Stages(lane =>
    {
        lane.Insert(MeshArrow.FramesOut, new PingStage(lane.IsReliable));
        if (lane.IsReliable) { lane.Insert(MeshArrow.SignalFrames, new PongStage(pong)); }
    });

    protected override void Process(in Frame item) => Out.Emit(_isReliable ? OnConnection(item) : InDatagram(item));

    private static Frame InDatagram(in Frame frame)
    {
        var bytes = frame.Bytes.Span;
        var isRequest = bytes.Length >= DatagramHeader && bytes[1] == Get && ((bytes[0] >> 4) & 3) == Confirmable;
        return isRequest ? frame with { Bytes = new byte[] { ConfirmableWithoutToken, 0, bytes[2], bytes[3] } } : frame;
    }

    private static Frame OnConnection(in Frame frame)
    {
        var header = StreamHeader.Read(frame.Bytes.Span);
        if (header.Code != Get) { return frame; }
        var writer = new ArrayBufferWriter<byte>();
        writer.Write([(byte)header.Token.Length, Ping]);
        writer.Write(header.Token);
        return frame with { Bytes = writer.WrittenMemory };
    }
}
