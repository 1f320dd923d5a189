using System.Threading.Tasks.Dataflow;
using CoAP.Vocabulary;

namespace CoAP.Blocks;

/// <summary>The bounded buffer in front of a user's block. Only this buffer can refuse or postpone items, and a fault of the block goes no further.</summary>
/// <remarks>Disposed of when its lane ends. The remaining items still reach the block. After that, the block holds no reference to the lane.</remarks>
internal sealed class BufferedEdge<T> : IDisposable
{
    private readonly CancellationTokenSource _watching = new();
    private readonly BufferBlock<T> _buffer;
    private readonly IDisposable _link;
    private volatile bool _failed;

    /// <param name="target">The user's block.</param>
    /// <param name="capacity">The number of items that may wait for the block.</param>
    /// <param name="log">Logs a failure of the block.</param>
    /// <param name="isShared">Whether the block serves other lanes as well and outlives this one.</param>
    public BufferedEdge(ITargetBlock<T> target, int capacity, EndpointLog log, bool isShared)
    {
        _buffer = new BufferBlock<T>(new DataflowBlockOptions { BoundedCapacity = capacity });
        _link = _buffer.LinkTo(target, new DataflowLinkOptions { PropagateCompletion = !isShared });
        // Blocks that serve one lane each can be numerous and alike, for example one for each connection. Their failures count as similar.
        var source = isShared ? target : (object)typeof(T);
        _ = target.Completion.ContinueWith(
            completion => OnTargetEnded(completion, log, source), _watching.Token, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Called on any thread when the block has ended, with its failure. No further item reaches the block.</summary>
    public Action<Exception?>? Ended { get; set; }

    /// <summary>Adds the item to the buffer. Returns <see langword="false"/> if the buffer is full or the block has failed. Never waits.</summary>
    public bool TryPost(T item)
    {
        if (!_failed && _buffer.Post(item)) { return true; }
        Interlocked.Increment(ref MeshCounters.Overflows);
        return false;
    }

    public void Dispose()
    {
        _watching.Cancel();
        _watching.Dispose();
        _buffer.Complete();
    }

    private void OnTargetEnded(Task completion, EndpointLog log, object source)
    {
        _failed = true;
        _link.Dispose();
        if (completion.Exception?.GetBaseException() is { } error && log.TryPass(LogEvent.UserBlockFailed, source, out var held))
        {
            Log.UserBlockFailed(log.Logger, error, held);
        }
        Ended?.Invoke(completion.Exception?.GetBaseException());
    }
}
