using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;

namespace CoAP;

/// <summary>A port of a stage: hands items to whatever is linked, on the thread that emits them, and keeps nothing.</summary>
/// <typeparam name="T">What leaves through the port.</typeparam>
public sealed class Output<T> : ISourceBlock<T>
{
    private static readonly DataflowMessageHeader Header = new(1);

    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Link[] _links = [];
    private volatile InlineTarget<T>? _only;    // most arrows lead to a single inline stage

    /// <summary>Completes when the port has been completed.</summary>
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

    /// <summary>Completes the port. A port fails item by item and never as a whole.</summary>
    void IDataflowBlock.Fault(Exception exception) => Complete();

    // Nothing is ever kept for a target that postponed, so there is nothing to consume, reserve or release.
    /// <summary>Returns nothing: the port keeps nothing.</summary>
    public T? ConsumeMessage(DataflowMessageHeader messageHeader, ITargetBlock<T> target, out bool messageConsumed)
    {
        messageConsumed = false;
        return default;
    }

    /// <summary>Returns <see langword="false"/>: the port keeps nothing.</summary>
    public bool ReserveMessage(DataflowMessageHeader messageHeader, ITargetBlock<T> target) => false;

    /// <summary>Throws: the port makes no reservations.</summary>
    public void ReleaseReservation(DataflowMessageHeader messageHeader, ITargetBlock<T> target) =>
        throw new InvalidOperationException("A port makes no reservations.");

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
        MeshCounters.Refuse();
    }

    private void Unlink(Link link)
    {
        lock (_completion) { SetLinks([.. _links.Where(other => other != link)]); }
    }

    // Two fields, and an item may be emitted between them: the shortcut is only ever set to a target that is linked.
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
