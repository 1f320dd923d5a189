using System.Threading.Tasks.Dataflow;

namespace CoAP;

/// <summary>A stage of the mesh that processes each item at once and passes the results on synchronously.</summary>
/// <typeparam name="TIn">The type of the items that the stage takes.</typeparam>
/// <typeparam name="TOut">The type of the results.</typeparam>
/// <remarks>
/// Derive from it to add your own stage to a lane. A hop costs a few nanoseconds. A stage needs no locks, because a lane runs one stage at a time.
/// </remarks>
public abstract class InlineStage<TIn, TOut> : InlineTarget<TIn>, IPropagatorBlock<TIn, TOut>
{
    private Action? _completePorts;

    /// <summary>The port through which the results leave the stage.</summary>
    public Output<TOut> Out { get; } = new();

    /// <inheritdoc/>
    public override Task Completion => Out.Completion;

    /// <inheritdoc/>
    public IDisposable LinkTo(ITargetBlock<TOut> target, DataflowLinkOptions linkOptions) => Out.LinkTo(target, linkOptions);

    TOut? ISourceBlock<TOut>.ConsumeMessage(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target, out bool messageConsumed) =>
        Out.ConsumeMessage(messageHeader, target, out messageConsumed);

    bool ISourceBlock<TOut>.ReserveMessage(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target) => Out.ReserveMessage(messageHeader, target);

    void ISourceBlock<TOut>.ReleaseReservation(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target) =>
        Out.ReleaseReservation(messageHeader, target);

    /// <summary>Adds a side output, which completes with the stage.</summary>
    protected Output<T> Port<T>()
    {
        var port = new Output<T>();
        _completePorts += port.Complete;
        return port;
    }

    /// <summary>Completes <see cref="Out"/> and the side outputs. Override it to emit the items that the stage still holds.</summary>
    protected override void OnCompleted()
    {
        Out.Complete();
        _completePorts?.Invoke();
    }
}
