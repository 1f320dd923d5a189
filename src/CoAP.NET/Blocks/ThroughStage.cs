using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>Sends every item through a user's block, which runs on its own threads. The results return to the lane.</summary>
/// <param name="edge">The buffer in front of the user's block.</param>
/// <param name="rule">What happens to an item if the buffer is full.</param>
/// <param name="keep">Copies an item, so that it stays valid after the call.</param>
/// <param name="fail">Ends an item if a later stage throws an exception.</param>
/// <param name="settle">Ends a dropped item, so that nothing waits for it.</param>
internal sealed class ThroughStage<T>(BufferedEdge<T> edge, OverflowRule rule, Func<T, T> keep, Action<T> settle, Action<T, Exception> fail) : InlineStage<T, T>
{
    /// <summary>Called on the lane with each item that would leave for the block. Returns whether the item was refused and has ended.</summary>
    public Func<T, bool>? Refuses { get; set; }

    /// <summary>Called on the lane with each item that leaves for the block.</summary>
    public Action<T>? Left { get; set; }

    /// <summary>Called on the lane with each item that the block returns. Returns whether the item continues.</summary>
    public Func<T, bool>? Returned { get; set; }

    protected override void Process(in T item)
    {
        if (Refuses?.Invoke(item) == true) { return; }
        if (edge.TryPost(keep(item))) { Left?.Invoke(item); }
        else if (rule == OverflowRule.Bypass) { Out.Emit(item); }
        else { settle(item); }
    }

    /// <summary>Returns the results of the block to the lane.</summary>
    /// <param name="source">The user's block.</param>
    /// <param name="enter">Runs an action on the lane.</param>
    public void Return(ISourceBlock<T> source, Action<Action> enter) =>
        source.LinkTo(new ActionBlock<T>(item => enter(() => Resume(item))));

    // The stage that ends a request after a failure is no longer on the call stack, so failures are handled here.
    private void Resume(T item)
    {
        if (Returned?.Invoke(item) == false) { return; }
        try { Out.Emit(item); }
        catch (Exception exception) // The edge to the user's block: a failure affects only this item.
        {
            fail(item, exception);
        }
    }
}
