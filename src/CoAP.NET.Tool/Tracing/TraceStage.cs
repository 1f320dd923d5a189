namespace CoAP.Tool.Tracing;

/// <summary>Shows each item to an action and passes it on.</summary>
internal sealed class TraceStage<T>(Action<T> show) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        show(item);
        Out.Emit(item);
    }
}
