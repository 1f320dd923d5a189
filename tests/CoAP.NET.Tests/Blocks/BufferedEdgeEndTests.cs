using System.Runtime.CompilerServices;
using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Blocks;

/// <summary>Lanes that live as long as a connection, in front of a block that lives as long as the server.</summary>
public sealed class BufferedEdgeEndTests
{
    private const int Collections = 20;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public void An_edge_that_has_ended_is_not_kept_by_the_block_it_served()
    {
        var target = new BufferBlock<int>();

        var edge = Use(target);
        for (var collection = 0; collection < Collections && edge.IsAlive; collection++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        edge.IsAlive.Should().BeFalse();
        target.Completion.IsCompleted.Should().BeFalse("other lanes use the block as well");
    }

    [Fact]
    public async Task Items_in_an_edge_still_arrive_after_its_end_and_its_own_block_completes_after_them()
    {
        var seen = new List<int>();
        var target = new ActionBlock<int>(seen.Add, new ExecutionDataflowBlockOptions { BoundedCapacity = 1 });
        var cut = new BufferedEdge<int>(target, 10, new EndpointLog(NullLogger.Instance, TimeProvider.System), isShared: false);

        for (var item = 0; item < 5; item++) { cut.TryPost(item).Should().BeTrue(); }
        cut.Dispose();
        await target.Completion.WaitAsync(Patience);

        seen.Should().Equal(0, 1, 2, 3, 4);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Use(BufferBlock<int> target)
    {
        var edge = new BufferedEdge<int>(target, 10, new EndpointLog(NullLogger.Instance, TimeProvider.System), isShared: true);
        edge.TryPost(7);
        target.Receive(Patience).Should().Be(7);
        edge.Dispose();
        return new WeakReference(edge);
    }
}
