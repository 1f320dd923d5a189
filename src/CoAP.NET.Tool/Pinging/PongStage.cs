namespace CoAP.Tool.Pinging;

/// <summary>Reports the answers to pings and passes them on: a Reset with the message ID of the ping, or a Pong with its token.</summary>
internal sealed class PongStage(bool isReliable, PingWatch watch) : InlineStage<Frame, Frame>
{
    private const byte Pong = 0xE3;
    private const byte Reset = 0x70;
    private const int DatagramHeader = 4;

    protected override void Process(in Frame item)
    {
        Report(item.Bytes.Span);
        Out.Emit(item);
    }

    private void Report(ReadOnlySpan<byte> bytes)
    {
        if (!isReliable)
        {
            if (bytes.Length == DatagramHeader && bytes[0] == Reset) { watch.OnAnswered(bytes[2..]); }
            return;
        }
        var header = StreamHeader.Read(bytes);
        if (header.Code == Pong) { watch.OnAnswered(header.Token); }
    }
}
