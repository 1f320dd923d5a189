using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>A stage that does its work inside <see cref="OfferMessage"/>, on the lane's own thread, and hands the result straight on.</summary>
/// <remarks>It accepts, or declines for ever once it has completed; it never postpones: what waits, waits at the edges that the mesh owns.</remarks>
internal abstract class InlineStage<TIn, TOut> : IPropagatorBlock<TIn, TOut>, IInlineTarget<TIn>
{
    private bool _completed;

    /// <summary>The main arrow out.</summary>
    public Output<TOut> Out { get; } = new();

    public Task Completion => Out.Completion;

    public DataflowMessageStatus OfferMessage(DataflowMessageHeader messageHeader, TIn messageValue, ISourceBlock<TIn>? source, bool consumeToAccept)
    {
        if (_completed) { return DataflowMessageStatus.DecliningPermanently; }
        if (consumeToAccept)
        {
            ArgumentNullException.ThrowIfNull(source);
            var consumed = source.ConsumeMessage(messageHeader, this, out var isOurs);
            if (!isOurs) { return DataflowMessageStatus.NotAvailable; }
            messageValue = consumed!;
        }
        return Take(in messageValue);
    }

    public DataflowMessageStatus Take(in TIn item)
    {
        if (_completed) { return DataflowMessageStatus.DecliningPermanently; }
        Process(in item);
        return DataflowMessageStatus.Accepted;
    }

    public virtual void Complete()
    {
        _completed = true;
        Out.Complete();
    }

    public virtual void Fault(Exception exception)
    {
        _completed = true;
        Out.Fault(exception);
    }

    public IDisposable LinkTo(ITargetBlock<TOut> target, DataflowLinkOptions linkOptions) => Out.LinkTo(target, linkOptions);

    public TOut? ConsumeMessage(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target, out bool messageConsumed) =>
        Out.ConsumeMessage(messageHeader, target, out messageConsumed);

    public bool ReserveMessage(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target) => Out.ReserveMessage(messageHeader, target);

    public void ReleaseReservation(DataflowMessageHeader messageHeader, ITargetBlock<TOut> target) => Out.ReleaseReservation(messageHeader, target);

    /// <summary>The stage's work on one item; results go to <see cref="Out"/>.</summary>
    protected abstract void Process(in TIn item);
}
