using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>One arrow out of an inline stage. Offers each item to the links in the order in which they were made, until one takes it.</summary>
/// <remarks>
/// It keeps nothing: an item that every link refuses is counted and gone. Our own stages never refuse; the bounded buffers in front of user
/// blocks may, and what happens then is decided there (see <see cref="BufferedEdge{T}"/>). Emitting is the lane's alone; linking may come from any thread.
/// </remarks>
internal sealed class Output<T> : ISourceBlock<T>
{
    private static readonly DataflowMessageHeader Header = new(1);

    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Link[] _links = [];
    private volatile InlineTarget<T>? _only;    // most arrows lead to one stage of ours

    public Task Completion => _completion.Task;

    /// <summary>Items that no link took.</summary>
    public long Refused { get; private set; }

    public void Emit(in T item)
    {
        if (_only is { } only && only.TryTake(in item)) { return; }
        Offer(in item);
    }

    public IDisposable LinkTo(ITargetBlock<T> target, DataflowLinkOptions linkOptions)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(linkOptions);
        var link = new Link(this, target, linkOptions.PropagateCompletion);
        lock (_completion)
        {
            SetLinks(linkOptions.Append ? [.. _links, link] : [link, .. _links]);
        }
        if (Completion.IsCompleted) { link.Propagate(Completion); }
        return link;
    }

    public void Complete() => Finish(static completion => completion.TrySetResult());

    public void Fault(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        Finish(completion => completion.TrySetException(exception));
    }

    // Nothing is ever kept for a target that postponed, so there is nothing to consume, reserve or release.
    public T? ConsumeMessage(DataflowMessageHeader messageHeader, ITargetBlock<T> target, out bool messageConsumed)
    {
        messageConsumed = false;
        return default;
    }

    public bool ReserveMessage(DataflowMessageHeader messageHeader, ITargetBlock<T> target) => false;

    public void ReleaseReservation(DataflowMessageHeader messageHeader, ITargetBlock<T> target) =>
        throw new InvalidOperationException("An inline stage makes no reservations.");

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
        Refused++;
    }

    private void Finish(Func<TaskCompletionSource, bool> finish)
    {
        if (!finish(_completion)) { return; }
        foreach (var link in _links) { link.Propagate(Completion); }
    }

    private void Unlink(Link link)
    {
        lock (_completion) { SetLinks([.. _links.Where(other => other != link)]); }
    }

    private void SetLinks(Link[] links)
    {
        _only = links is [{ Inline: { } only }] ? only : null;
        _links = links;
    }

    private sealed class Link(Output<T> owner, ITargetBlock<T> target, bool propagates) : IDisposable
    {
        public ITargetBlock<T> Target => target;

        public InlineTarget<T>? Inline { get; } = target as InlineTarget<T>;

        public void Propagate(Task completion)
        {
            if (!propagates) { return; }
            if (completion.Exception is { } exception) { target.Fault(exception); }
            else { target.Complete(); }
        }

        public void Dispose() => owner.Unlink(this);
    }
}
