using CoAP.Vocabulary;

namespace CoAP.Blocks;

/// <summary>Passes on the items that a user's predicate accepts. If the predicate throws, the exception is logged and the item is dropped.</summary>
/// <param name="accepts">The predicate.</param>
/// <param name="settle">Ends a dropped item, so that nothing waits for it.</param>
/// <param name="log">Logs the exceptions of the predicate.</param>
internal sealed class FilterStage<T>(Func<T, bool> accepts, Action<T> settle, EndpointLog log) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        var accepted = false;
        try { accepted = accepts(item); }
        catch (Exception exception) // The edge to user code: an exception affects only this item.
        {
            if (log.TryPass(LogEvent.UserBlockFailed, accepts, out var held)) { Log.UserBlockFailed(log.Logger, exception, held); }
        }
        if (accepted) { Out.Emit(item); }
        else
        {
            Interlocked.Increment(ref MeshCounters.Filtered);
            settle(item);
        }
    }
}
