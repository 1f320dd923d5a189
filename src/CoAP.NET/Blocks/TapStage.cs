namespace CoAP.Blocks;

/// <summary>Gives a copy of every item to a user's block and passes the item on.</summary>
/// <param name="edge">The buffer in front of the block.</param>
/// <param name="keep">Copies an item that uses the memory of the lane, so that it stays valid after the call.</param>
internal sealed class TapStage<T>(BufferedEdge<T> edge, Func<T, T> keep) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        edge.TryPost(keep(item));
        Out.Emit(item);
    }
}
