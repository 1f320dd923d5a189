using System.Threading.Tasks.Dataflow;

namespace CoAP;

/// <summary>A target that works on each item at once, on the thread that offers it.</summary>
/// <typeparam name="T">What is offered.</typeparam>
/// <remarks>It never refuses or postpones: it accepts, or declines permanently after completion. One thread at a time may offer items.</remarks>
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

    /// <summary>Completes the target. An inline stage fails item by item, so the fault of a source is the end of that source and nothing more.</summary>
    void IDataflowBlock.Fault(Exception exception) => Complete();

    /// <summary>Processes an item without the ceremony of <see cref="OfferMessage"/>.</summary>
    internal bool TryTake(in T item)
    {
        if (_isCompleted) { return false; }
        Process(in item);
        return true;
    }

    /// <summary>Counts a source whose completion this target waits for.</summary>
    internal void AddSource() => _sources++;

    /// <summary>Processes one item.</summary>
    protected abstract void Process(in T item);

    /// <summary>Called once, when no more items will come.</summary>
    protected virtual void OnCompleted()
    {
    }
}
