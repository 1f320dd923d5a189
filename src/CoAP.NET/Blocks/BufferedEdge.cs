using System.Threading.Tasks.Dataflow;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Blocks;

/// <summary>The bounded buffer in front of a user's block. Refusal and postponement exist only here, and a fault of the block ends here.</summary>
/// <remarks>Disposed of when its lane ends: what it holds still goes to the block, and then nothing of the lane is left there.</remarks>
internal sealed class BufferedEdge<T> : IDisposable
{
    private readonly CancellationTokenSource _watching = new();
    private readonly BufferBlock<T> _buffer;
    private readonly IDisposable _link;
    private volatile bool _failed;

    /// <param name="target">The user's block.</param>
    /// <param name="capacity">The items that may wait.</param>
    /// <param name="logger">For the block's failure.</param>
    /// <param name="isShared">Whether the block serves other lanes as well and outlives this one.</param>
    public BufferedEdge(ITargetBlock<T> target, int capacity, ILogger logger, bool isShared)
    {
        _buffer = new BufferBlock<T>(new DataflowBlockOptions { BoundedCapacity = capacity });
        _link = _buffer.LinkTo(target, new DataflowLinkOptions { PropagateCompletion = !isShared });
        _ = target.Completion.ContinueWith(
            completion => OnTargetEnded(completion, logger), _watching.Token, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Hands the item over, or answers <see langword="false"/>: the rule of the edge decides then. Never waits.</summary>
    public bool TryPost(T item)
    {
        if (!_failed && _buffer.Post(item)) { return true; }
        MeshCounters.Overflow();
        return false;
    }

    public void Dispose()
    {
        _watching.Cancel();
        _watching.Dispose();
        _buffer.Complete();
    }

    private void OnTargetEnded(Task completion, ILogger logger)
    {
        _failed = true;
        _link.Dispose();
        if (completion.Exception?.GetBaseException() is { } error) { Log.UserBlockFailed(logger, error); }
    }
}
