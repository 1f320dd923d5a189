using System.Runtime.CompilerServices;
using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Blocks;

/// <summary>Lanes that live as long as a connection, in front of a block that lives as long as the server.</summary>
public sealed class BufferedEdgeEndTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task An_edge_that_has_ended_is_not_kept_by_the_block_it_served()
    {
        var target = new BufferBlock<int>();

        var edge = await UseAsync(target);
        var isGone = SpinWait.SpinUntil(() => !IsAliveAfterCollection(edge), Patience);

        isGone.Should().BeTrue();
        target.Completion.IsCompleted.Should().BeFalse("other lanes use the block as well");
    }

    [Fact]
    public async Task What_an_edge_holds_at_its_end_still_arrives_and_a_block_of_its_own_ends_behind_it()
    {
        var seen = new List<int>();
        var target = new ActionBlock<int>(seen.Add, new ExecutionDataflowBlockOptions { BoundedCapacity = 1 });
        var cut = new BufferedEdge<int>(target, 10, NullLogger.Instance, isShared: false);

        for (var item = 0; item < 5; item++) { cut.TryPost(item).Should().BeTrue(); }
        cut.Dispose();
        await target.Completion.WaitAsync(Patience);

        seen.Should().Equal(0, 1, 2, 3, 4);
    }

    private static bool IsAliveAfterCollection(WeakReference edge)
    {
        GC.Collect();
        return edge.IsAlive;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<WeakReference> UseAsync(BufferBlock<int> target)
    {
        var edge = new BufferedEdge<int>(target, 10, NullLogger.Instance, isShared: true);
        edge.TryPost(7);
        (await target.ReceiveAsync(Patience)).Should().Be(7);
        edge.Dispose();
        return new WeakReference(edge);
    }
}
