using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>A stage that does its work inside <see cref="InlineTarget{T}.OfferMessage"/>, on the lane's own thread, and hands the result straight on.</summary>
/// <remarks>It accepts, or declines for ever once it has completed; it never postpones: what waits, waits at the edges that the mesh owns.</remarks>
internal abstract class InlineStage<TIn, TOut> : InlineTarget<TIn>, IPropagatorBlock<TIn, TOut>
{
    /// <summary>The main arrow out; results go there.</summary>
    public Output<TOut> Out { get; } = new();

    public override Task Completion => Out.Completion;

    public override void Complete()
    {
        base.Complete();
        Out.Complete();
    }

    public override void Fault(Exception exception)
    {
        base.Fault(exception);
        Out.Fault(exception);
    }

    public IDisposable LinkTo(ITargetBlock<TOut> target, DataflowLinkOptions linkOptions) => Out.LinkTo(target, linkOptions);

    public TOut? ConsumeMessage(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target, out bool messageConsumed) =>
        Out.ConsumeMessage(messageHeader, target, out messageConsumed);

    public bool ReserveMessage(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target) => Out.ReserveMessage(messageHeader, target);

    public void ReleaseReservation(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target) => Out.ReleaseReservation(messageHeader, target);
}
