using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Resources;

namespace CoAP.Measurements.Meshes;

/// <summary>Some stages in a row that do nothing but hand on, each way that a mesh can be made of.</summary>
/// <param name="Name">As in the tables.</param>
/// <param name="Make">Makes a chain of so many stages in front of an end, and answers its beginning and what ends it.</param>
internal sealed record Chain(string Name, Func<int, Action<ChainItem>, (Action<ChainItem> Push, Action End)> Make)
{
    private const int Capacity = 10_000;

    public static Chain[] All { get; } =
    [
        new("inline stages", Inline),
        new("stock TransformBlock", static (stages, sink) => Stock(stages, sink, new ExecutionDataflowBlockOptions())),
        new("stock, bounded", static (stages, sink) => Stock(
            stages, sink, new ExecutionDataflowBlockOptions { SingleProducerConstrained = true, BoundedCapacity = Capacity })),
        new("our buffered stages", Buffered),
    ];

    private static (Action<ChainItem> Push, Action End) Inline(int stages, Action<ChainItem> sink)
    {
        var first = new JunctionStage<ChainItem>();
        var last = first;
        for (var at = 1; at < stages; at++)
        {
            var next = new JunctionStage<ChainItem>();
            last.LinkTo(next);
            last = next;
        }
        last.LinkTo(new SinkStage<ChainItem>((in ChainItem item) => sink(item)));
        return (item => first.TryTake(in item), first.Complete);
    }

    private static (Action<ChainItem> Push, Action End) Stock(int stages, Action<ChainItem> sink, ExecutionDataflowBlockOptions options)
    {
        var first = new TransformBlock<ChainItem, ChainItem>(static item => item, options);
        var last = first;
        var passed = new DataflowLinkOptions { PropagateCompletion = true };
        for (var at = 1; at < stages; at++)
        {
            var next = new TransformBlock<ChainItem, ChainItem>(static item => item, options);
            last.LinkTo(next, passed);
            last = next;
        }
        last.LinkTo(new ActionBlock<ChainItem>(sink, options), passed);
        return (item => first.Post(item), first.Complete);
    }

    // What stands in front of handlers that may block: a bounded queue and threads of its own, here one for each stage.
    private static (Action<ChainItem> Push, Action End) Buffered(int stages, Action<ChainItem> sink)
    {
        var all = new List<HandlerThreads<ChainItem>>();
        var next = sink;
        for (var at = 0; at < stages; at++)
        {
            var target = next;
            var stage = new HandlerThreads<ChainItem>(target, threads: 1, Capacity);
            all.Add(stage);
            next = item => stage.TryQueue(item);
        }
        return (next, () => all.ForEach(static stage => stage.Complete()));
    }
}
