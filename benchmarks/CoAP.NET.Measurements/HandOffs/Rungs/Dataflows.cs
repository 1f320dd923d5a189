using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Measurements.HandOffs.Ends;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>Blocks: those of .NET, which keep an item and let the pool work on it, and the inline stages of a lane, which work on it in the same call.</summary>
internal static class Dataflows
{
    private const int Over = -1;

    /// <summary>A queue for each direction, and a task that echoes.</summary>
    public static IPair OpenBuffers(Placement placement)
    {
        var (there, back) = (new BufferBlock<int>(), new BufferBlock<int>());
        _ = Task.Run(EchoAsync);
        return new TaskPair<BlockTurn>(new BlockTurn(there, back), () => there.Post(Over));

        async Task EchoAsync()
        {
            while (await there.ReceiveAsync() is var item and not Over) { back.Post(item); }
        }
    }

    /// <summary>The block is the echo; a buffer takes what comes back.</summary>
    public static IPair OpenTransform(Placement placement)
    {
        var back = new BufferBlock<int>();
        var echo = new TransformBlock<int, int>(static item => item, new ExecutionDataflowBlockOptions { SingleProducerConstrained = true });
        echo.LinkTo(back);
        return new TaskPair<BlockTurn>(new BlockTurn(echo, back), echo.Complete);
    }

    /// <summary>The block posts back by itself.</summary>
    public static IPair OpenAction(Placement placement)
    {
        var back = new BufferBlock<int>();
        var echo = new ActionBlock<int>(item => back.Post(item), new ExecutionDataflowBlockOptions { SingleProducerConstrained = true });
        return new TaskPair<BlockTurn>(new BlockTurn(echo, back), echo.Complete);
    }

    /// <summary>Two stages of ours, a hop there and a hop back, on the caller's thread.</summary>
    public static IPair OpenInline(Placement placement)
    {
        var came = new Came();
        var (echo, sink) = (new JunctionStage<int>(), new SinkStage<int>(came.Take));
        echo.LinkTo(sink);
        return new ThreadPair<InlineTurn>(new InlineTurn(echo, came), echo.Complete);
    }

    private sealed class Came
    {
        public long Count { get; private set; }

        public void Take(in int item) => Count++;
    }

    private readonly struct BlockTurn(ITargetBlock<int> there, BufferBlock<int> back) : IAwaitedTurn
    {
        public ValueTask<int> ThereAndBackAsync()
        {
            there.Post(0);
            return new ValueTask<int>(back.ReceiveAsync());
        }
    }

    private readonly struct InlineTurn(JunctionStage<int> there, Came back) : ITurn
    {
        public void ThereAndBack()
        {
            var before = back.Count;
            there.TryTake(0);
            if (back.Count != before + 1) { throw new InvalidOperationException("The item did not come back."); }
        }
    }
}
