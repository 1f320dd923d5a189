using System.Threading.Tasks.Dataflow;

namespace CoAP;

/// <summary>A target that processes each item at once, on the thread that offers it.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <remarks>It accepts every item until it is completed, and never postpones one. Only one thread at a time may offer items.</remarks>
public abstract class InlineTarget<T> : ITargetBlock<T>
{
    private int _sources;
    private bool _isCompleted;

    /// <summary>Completes after every linked source that propagates completion has completed.</summary>
    public abstract Task Completion { get; }

    /// <summary>Offers an item. The item has been processed when the call returns.</summary>
    public DataflowMessageStatus OfferMessage(DataflowMessageHeader messageHeader, T messageValue, ISourceBlock<T>? source, bool consumeToAccept)
    {
        if (_isCompleted) { return DataflowMessageStatus.DecliningPermanently; }
        if (consumeToAccept)
        {
            ArgumentNullException.ThrowIfNull(source);
            var consumed = source.ConsumeMessage(messageHeader, this, out var isOurs);
            if (!isOurs) { return DataflowMessageStatus.NotAvailable; }
            messageValue = consumed!;
        }
        return TryTake(in messageValue) ? DataflowMessageStatus.Accepted : DataflowMessageStatus.DecliningPermanently;
    }

    /// <summary>Completes the target. If several sources are linked with completion, the last of them completes it.</summary>
    public void Complete()
    {
        if (--_sources > 0 || _isCompleted) { return; }
        _isCompleted = true;
        OnCompleted();
    }

    /// <summary>Completes the target. Inline stages fail for single items only, so a faulted source counts as a completed one.</summary>
    void IDataflowBlock.Fault(Exception exception) => Complete();

    /// <summary>Processes an item without the overhead of <see cref="OfferMessage"/>. Returns <see langword="false"/> after completion.</summary>
    internal bool TryTake(in T item)
    {
        if (_isCompleted) { return false; }
        Process(in item);
        return true;
    }

    /// <summary>Adds a source that must complete before this target completes.</summary>
    internal void AddSource() => _sources++;

    /// <summary>Processes one item.</summary>
    protected abstract void Process(in T item);

    /// <summary>Called once, when no more items will come.</summary>
    protected virtual void OnCompleted()
    {
    }
}
