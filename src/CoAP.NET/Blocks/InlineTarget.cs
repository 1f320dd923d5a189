using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>A target that works on an item inside <see cref="OfferMessage"/>, on the lane's own thread, and takes it where it lies: as Dataflow offers it, every hop would copy it.</summary>
/// <remarks>A class and no interface: a call through an interface looks up the method by the target's type, and all arrows of a lane share few places to call from.</remarks>
internal abstract class InlineTarget<T> : ITargetBlock<T>
{
    private bool _completed;

    public abstract Task Completion { get; }

    public DataflowMessageStatus OfferMessage(DataflowMessageHeader messageHeader, T messageValue, ISourceBlock<T>? source, bool consumeToAccept)
    {
        if (_completed) { return DataflowMessageStatus.DecliningPermanently; }
        if (consumeToAccept)
        {
            ArgumentNullException.ThrowIfNull(source);
            var consumed = source.ConsumeMessage(messageHeader, this, out var isOurs);
            if (!isOurs) { return DataflowMessageStatus.NotAvailable; }
            messageValue = consumed!;
        }
        return TryTake(in messageValue) ? DataflowMessageStatus.Accepted : DataflowMessageStatus.DecliningPermanently;
    }

    /// <summary>Works on the item, or answers <see langword="false"/> for ever once it has completed.</summary>
    public bool TryTake(in T item)
    {
        if (_completed) { return false; }
        Process(in item);
        return true;
    }

    public virtual void Complete() => _completed = true;

    public virtual void Fault(Exception exception) => _completed = true;

    /// <summary>The work on one item.</summary>
    protected abstract void Process(in T item);
}
