namespace CoAP.Blocks;

/// <summary>Shows every item to a user's block and hands it on, whatever the block does.</summary>
/// <param name="edge">In front of the block.</param>
/// <param name="keep">Makes a copy that outlives the call, for items that borrow the lane's memory.</param>
internal sealed class TapStage<T>(BufferedEdge<T> edge, Func<T, T> keep) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        edge.TryPost(keep(item));
        Out.Emit(item);
    }
}
