using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;

namespace CoAP;

/// <summary>An output port of a stage. It passes items to the linked targets on the thread that emits them, and stores none.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
public sealed class Output<T> : ISourceBlock<T>
{
    private static readonly DataflowMessageHeader Header = new(1);

    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Link[] _links = [];
    private volatile InlineTarget<T>? _only;    // most arrows lead to a single inline stage

    /// <summary>Completes when <see cref="Complete"/> has been called.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Hands an item to the first linked target that accepts it.</summary>
    public void Emit(in T item)
    {
        if (_only is { } only && only.TryTake(in item)) { return; }
        Offer(in item);
    }

    /// <summary>Links a target to the port.</summary>
    /// <param name="target">The target.</param>
    /// <param name="linkOptions">Whether completion is propagated, and whether the target comes first or last.</param>
    public IDisposable LinkTo(ITargetBlock<T> target, DataflowLinkOptions linkOptions)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(linkOptions);
        var link = new Link(this, target, linkOptions.PropagateCompletion);
        if (linkOptions.PropagateCompletion) { link.Inline?.AddSource(); }
        lock (_completion)
        {
            SetLinks(linkOptions.Append ? [.. _links, link] : [link, .. _links]);
        }
        if (Completion.IsCompleted) { link.Complete(); }
        return link;
    }

    /// <summary>Completes the port and the targets that are linked with completion.</summary>
    public void Complete()
    {
        if (!_completion.TrySetResult()) { return; }
        foreach (var link in _links) { link.Complete(); }
    }

    /// <summary>Completes the port. A port fails for single items only and never as a whole.</summary>
    void IDataflowBlock.Fault(Exception exception) => Complete();

    // The port stores no items, so a target cannot postpone one and consume it later.
    /// <summary>Returns no item, because the port stores none.</summary>
    public T? ConsumeMessage(DataflowMessageHeader messageHeader, ITargetBlock<T> target, out bool messageConsumed)
    {
        messageConsumed = false;
        return default;
    }

    /// <summary>Returns <see langword="false"/>, because the port stores no items.</summary>
    public bool ReserveMessage(DataflowMessageHeader messageHeader, ITargetBlock<T> target) => false;

    /// <summary>Throws an exception, because the port makes no reservations.</summary>
    public void ReleaseReservation(DataflowMessageHeader messageHeader, ITargetBlock<T> target) =>
        throw new InvalidOperationException("A port does not support reservations.");

    private void Offer(in T item)
    {
        foreach (var link in _links)
        {
            var status = link.Inline is { } inline
                ? inline.TryTake(in item) ? DataflowMessageStatus.Accepted : DataflowMessageStatus.DecliningPermanently
                : link.Target.OfferMessage(Header, item, this, consumeToAccept: false);
            switch (status)
            {
                case DataflowMessageStatus.Accepted:
                    return;
                case DataflowMessageStatus.DecliningPermanently:
                    Unlink(link);
                    break;
            }
        }
        Interlocked.Increment(ref MeshCounters.Refused);
    }

    private void Unlink(Link link)
    {
        lock (_completion) { SetLinks([.. _links.Where(other => other != link)]); }
    }

    // An item may be emitted between the two writes. That is safe, because the shortcut only ever points to a linked target.
    private void SetLinks(Link[] links)
    {
        _only = links is [{ Inline: { } only }] ? only : null;
        _links = links;
    }

    private sealed class Link(Output<T> owner, ITargetBlock<T> target, bool propagates) : IDisposable
    {
        public ITargetBlock<T> Target => target;

        public InlineTarget<T>? Inline { get; } = target as InlineTarget<T>;

        public void Complete()
        {
            if (propagates) { target.Complete(); }
        }

        public void Dispose() => owner.Unlink(this);
    }
}
