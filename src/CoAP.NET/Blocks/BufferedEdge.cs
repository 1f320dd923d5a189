using System.Threading.Tasks.Dataflow;
using Microsoft.Extensions.Logging;

namespace CoAP.Blocks;

/// <summary>The bounded buffer in front of a user's block. Refusal and postponement exist only here, and a fault of the block ends here.</summary>
internal sealed class BufferedEdge<T>
{
    private readonly BufferBlock<T> _buffer;
    private readonly IDisposable _link;
    private volatile bool _failed;

    public BufferedEdge(ITargetBlock<T> target, int capacity, ILogger logger)
    {
        _buffer = new BufferBlock<T>(new DataflowBlockOptions { BoundedCapacity = capacity });
        _link = _buffer.LinkTo(target);
        _ = target.Completion.ContinueWith(
            completion => OnTargetEnded(completion, logger), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Items that found the buffer full or the block gone.</summary>
    public long Overflows { get; private set; }

    /// <summary>Hands the item over, or answers <see langword="false"/>: the rule of the edge decides then. Never waits.</summary>
    public bool TryPost(T item)
    {
        if (!_failed && _buffer.Post(item)) { return true; }
        Overflows++;
        return false;
    }

    private void OnTargetEnded(Task completion, ILogger logger)
    {
        _failed = true;
        _link.Dispose();
        if (completion.Exception?.GetBaseException() is { } error) { Log.UserBlockFailed(logger, error); }
    }
}
