using System.Threading.Tasks.Dataflow;

namespace CoAP;

/// <summary>A stage of the mesh that works on each item at once and passes results on by the same thread.</summary>
/// <typeparam name="TIn">What the stage takes.</typeparam>
/// <typeparam name="TOut">What the stage passes on.</typeparam>
/// <remarks>Derive from it to put a stage of your own into a lane. A hop costs a few nanoseconds, and no locks are needed: a lane runs one stage at a time.</remarks>
public abstract class InlineStage<TIn, TOut> : InlineTarget<TIn>, IPropagatorBlock<TIn, TOut>
{
    /// <summary>The port that results leave through.</summary>
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

    /// <summary>Completes <see cref="Out"/>. Override it to complete the side outputs of a stage, or to flush what it holds.</summary>
    protected override void OnCompleted() => Out.Complete();
}
