using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Blocks;

/// <summary>Hands on what a user's predicate accepts. A predicate that throws is logged, and the item dropped.</summary>
/// <param name="accepts">The predicate.</param>
/// <param name="settle">Ends the wait for an item that was dropped.</param>
/// <param name="logger">For what the predicate throws.</param>
internal sealed class FilterStage<T>(Func<T, bool> accepts, Action<T> settle, ILogger logger) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        var accepted = false;
        try { accepted = accepts(item); }
        catch (Exception exception) // The edge to user code: what it throws concerns this item alone.
        {
            Log.UserBlockFailed(logger, exception);
        }
        if (accepted) { Out.Emit(item); }
        else
        {
            MeshCounters.Filter();
            settle(item);
        }
    }
}
