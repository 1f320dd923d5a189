namespace CoAP.Tool.Pinging;

/// <summary>Reports each Pong of a connection and passes it on.</summary>
internal sealed class PongStage(Action pong) : InlineStage<Frame, Frame>
{
    private const byte Pong = 0xE3;

    protected override void Process(in Frame item)
    {
        if (StreamHeader.Read(item.Bytes.Span).Code == Pong) { pong(); }
        Out.Emit(item);
    }
}
