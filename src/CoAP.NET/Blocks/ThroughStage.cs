using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>Sends every item through a user's block, which runs elsewhere; what comes out enters the lane again.</summary>
/// <param name="edge">In front of the user's block.</param>
/// <param name="rule">What happens when the edge is full.</param>
/// <param name="keep">Makes a copy that outlives the call.</param>
/// <param name="fail">Ends an item that makes a later stage fail.</param>
/// <param name="settle">Ends the wait for an item that was dropped.</param>
internal sealed class ThroughStage<T>(BufferedEdge<T> edge, OverflowRule rule, Func<T, T> keep, Action<T> settle, Action<T, Exception> fail) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        if (edge.TryPost(keep(item))) { return; }
        if (rule == OverflowRule.PassBy) { Out.Emit(item); }
        else { settle(item); }
    }

    /// <summary>Lets the block's results back in.</summary>
    /// <param name="source">The user's block.</param>
    /// <param name="enter">Runs an action on the lane.</param>
    public void Return(ISourceBlock<T> source, Action<Action> enter) =>
        source.LinkTo(new ActionBlock<T>(item => enter(() => Resume(item))));

    // The item is on its way again, without the stage that would have ended it if a later stage failed.
    private void Resume(T item)
    {
        try { Out.Emit(item); }
        catch (Exception exception) // The edge of the detour: a failure concerns this item alone.
        {
            fail(item, exception);
        }
    }
}
