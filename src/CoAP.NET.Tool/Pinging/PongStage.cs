namespace CoAP.Tool.Pinging;

/// <summary>Reports each answer to a ping, a Reset or a Pong, and passes it on.</summary>
internal sealed class PongStage(bool isReliable, Action answered) : InlineStage<Frame, Frame>
{
    private const byte Pong = 0xE3;
    private const int DatagramHeader = 4;

    protected override void Process(in Frame item)
    {
        if (IsAnswer(item.Bytes.Span)) { answered(); }
        Out.Emit(item);
    }

    private bool IsAnswer(ReadOnlySpan<byte> bytes) => isReliable
        ? StreamHeader.Read(bytes).Code == Pong
        : bytes.Length == DatagramHeader && ((bytes[0] >> 4) & 3) == (int)MessageType.Reset;
}
