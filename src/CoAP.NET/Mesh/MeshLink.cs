using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Mesh;

namespace CoAP;

/// <summary>Links blocks of a user or a package into the mesh: a tap, a filter, a detour, or stages that run on the lane.</summary>
/// <remarks>
/// A tap or a detour gets a bounded buffer and runs on its own threads. If its block fails, the failure is logged and the block is unlinked. The mesh
/// then works without it.
/// </remarks>
public sealed class MeshLink
{
    private const int DefaultCapacity = 10_000;

    private MeshLink(Action<LaneBuilder> apply) => Apply = apply;

    internal Action<LaneBuilder> Apply { get; }

    /// <summary>Copies every item of an arrow to a block. If the buffer is full, the item is not copied, which is counted.</summary>
    /// <param name="arrow">The arrow.</param>
    /// <param name="target">The block. All lanes share it.</param>
    /// <param name="capacity">The number of items that may wait for the block on each lane. Default: 10,000.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is less than 1.</exception>
    public static MeshLink Tap<T>(MeshArrow<T> arrow, ITargetBlock<T> target, int capacity = DefaultCapacity)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(target);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        return new MeshLink(lane => lane.Insert(arrow, new TapStage<T>(Edge(target, capacity, lane, isShared: true), arrow.Keep)));
    }

    /// <summary>Lets an item pass only if a predicate accepts it.</summary>
    /// <param name="arrow">The arrow.</param>
    /// <param name="accepts">The predicate. It runs on the lane, so it must be quick and safe for concurrent use. If it throws, the item is dropped.</param>
    /// <remarks>
    /// A dropped request gets no answer. If its datagram is retransmitted, the filter is called again, unless it has dropped the answer. A dropped notification
    /// is lost, and the observation continues. A dropped error, or a dropped answer to a registration, ends the observation.
    /// </remarks>
    public static MeshLink Filter<T>(MeshArrow<T> arrow, Func<T, bool> accepts)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(accepts);
        return new MeshLink(lane => lane.Insert(arrow, new FilterStage<T>(accepts, item => arrow.Drop(lane.Exchanges, item), lane.Exchanges.Log)));
    }

    /// <summary>Sends every item through a block. The results continue on the arrow.</summary>
    /// <param name="arrow">The arrow.</param>
    /// <param name="create">Creates the block, one for each lane.</param>
    /// <param name="rule">What happens to an item if the buffer is full or the block has failed.</param>
    /// <param name="capacity">The number of items that may wait for the block. Default: 10,000.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is less than 1.</exception>
    /// <remarks>
    /// A request that the block does not return counts as in progress, and a shutdown waits for it, as for a handler. If the block ends, the requests
    /// that it has not returned get 5.00.
    /// </remarks>
    public static MeshLink Through<T>(
        MeshArrow<T> arrow, Func<IPropagatorBlock<T, T>> create, OverflowRule rule = OverflowRule.Bypass, int capacity = DefaultCapacity)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(create);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        return new MeshLink(lane =>
        {
            var block = create();
            var edge = Edge(block, capacity, lane, isShared: false);
            var stage = new ThroughStage<T>(edge, rule, arrow.Keep, item => arrow.Drop(lane.Exchanges, item), (item, error) => arrow.Fail(lane.Failures, item, error));
            var away = new AwayRequests<T>(lane.Exchanges, lane.Failures, arrow);
            (stage.Refuses, stage.Left, stage.Returned) = (away.TryRefuse, away.Add, away.TryRemove);
            edge.Ended = failure => lane.Lane.Post(() => away.Fail(failure));
            stage.Return(block, lane.Lane.Post);
            lane.Insert(arrow, stage);
        });
    }

    /// <summary>Inserts stages that run on the lane itself, like the library's own.</summary>
    /// <param name="build">Called once for each lane, before it starts.</param>
    public static MeshLink Stages(Action<LaneBuilder> build)
    {
        ArgumentNullException.ThrowIfNull(build);
        return new MeshLink(build);
    }

    private static BufferedEdge<T> Edge<T>(ITargetBlock<T> target, int capacity, LaneBuilder lane, bool isShared)
    {
        var edge = new BufferedEdge<T>(target, capacity, lane.Exchanges.Log, isShared);
        lane.Exchanges.Own(edge);
        return edge;
    }
}
