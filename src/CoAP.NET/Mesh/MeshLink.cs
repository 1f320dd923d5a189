using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Lanes;

namespace CoAP;

/// <summary>A block of the user's own at one arrow of the mesh: a tap, a filter, or a detour.</summary>
/// <remarks>
/// A block gets a bounded buffer in front of it and runs on threads of its own; what happens when it cannot keep up is said by the overflow rule.
/// If it fails, it is unlinked and logged, and the mesh goes on without it.
/// </remarks>
public abstract class MeshLink
{
    private const int DefaultCapacity = 10_000;

    private protected MeshLink()
    {
    }

    /// <summary>Shows everything that passes the arrow to a block. What finds the buffer full is not shown, and counted.</summary>
    /// <param name="arrow">Where.</param>
    /// <param name="target">Gets the items; shared by all lanes.</param>
    /// <param name="capacity">The items that may wait for the block on each lane.</param>
    public static MeshLink Tap<T>(MeshArrow<T> arrow, ITargetBlock<T> target, int capacity = DefaultCapacity)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(target);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        return new ArrowLink<T>(arrow, lane => new TapStage<T>(Edge(target, capacity, lane, isShared: true), arrow.Keep));
    }

    /// <summary>Lets pass only what a predicate accepts. It runs on the lane and must be quick and safe for concurrent use; if it throws, the item is dropped.</summary>
    /// <remarks>Nothing is answered to a request that is dropped. Sent again over datagrams, it comes to the filter again; one whose answer was dropped does not.</remarks>
    public static MeshLink Filter<T>(MeshArrow<T> arrow, Func<T, bool> accepts)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(accepts);
        return new ArrowLink<T>(arrow, lane => new FilterStage<T>(accepts, item => arrow.Settle(lane, item), lane.Logger));
    }

    /// <summary>Sends everything through a block; its results go on where the items would have gone.</summary>
    /// <remarks>A request that the block keeps for itself counts as in progress until EXCHANGE_LIFETIME or its connection ends (RFC 7252, section 4.8.2).</remarks>
    /// <param name="arrow">Where.</param>
    /// <param name="create">Makes the block, one for each lane.</param>
    /// <param name="rule">What happens to an item that finds the buffer full, or the block failed.</param>
    /// <param name="capacity">The items that may wait for the block.</param>
    public static MeshLink Through<T>(
        MeshArrow<T> arrow, Func<IPropagatorBlock<T, T>> create, OverflowRule rule = OverflowRule.PassBy, int capacity = DefaultCapacity)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(create);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        return new ArrowLink<T>(arrow, lane =>
        {
            var block = create();
            var stage = new ThroughStage<T>(Edge(block, capacity, lane, isShared: false), rule, arrow.Keep, item => arrow.Settle(lane, item));
            stage.Return(block, action => lane.Post(new LaneAction(action)));
            return stage;
        });
    }

    /// <summary>The stage for one lane, if this link belongs to the arrow.</summary>
    internal abstract IPropagatorBlock<T, T>? StageFor<T>(MeshArrow<T> arrow, LaneContext lane);

    private static BufferedEdge<T> Edge<T>(ITargetBlock<T> target, int capacity, LaneContext lane, bool isShared)
    {
        var edge = new BufferedEdge<T>(target, capacity, lane.Logger, isShared);
        lane.Own(edge);
        return edge;
    }

    private sealed class ArrowLink<TItem>(MeshArrow<TItem> at, Func<LaneContext, InlineStage<TItem, TItem>> create) : MeshLink
    {
        internal override IPropagatorBlock<T, T>? StageFor<T>(MeshArrow<T> arrow, LaneContext lane) =>
            ReferenceEquals(arrow, at) ? (IPropagatorBlock<T, T>)(object)create(lane) : null;
    }
}
