using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;

namespace CoAP.Benchmarks;

/// <summary>A row of stages that only pass an item on: inline stages as in a lane, and stock Dataflow blocks.</summary>
/// <remarks>"Many" is the cost of an item when 256 are on their way, "one" is the latency of a single item.</remarks>
[MemoryDiagnoser]
public class Hops
{
    private const int Many = 256;

    private static readonly ManualResetEventSlim Arrived = new(false, spinCount: 0);

    private PassOn _inline = new();
    private ITargetBlock<int> _stock = new BufferBlock<int>();
    private int _expected;
    private int _came;

    [Params(1, 3, 5)]
    public int Stages { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        _inline = Inline();
        _stock = Stock();
    }

    [GlobalCleanup]
    public void CleanUp() => _stock.Complete();

    [Benchmark(Baseline = true, OperationsPerInvoke = Many)]
    public void ManyInline()
    {
        for (var item = 0; item < Many; item++) { _inline.TryTake(in item); }
    }

    [Benchmark(OperationsPerInvoke = Many)]
    public void ManyTransformBlocks() => Post(Many);

    [Benchmark]
    public void OneTransformBlock() => Post(1);

    private void Post(int count)
    {
        Arrived.Reset();
        _came = 0;
        Volatile.Write(ref _expected, count);
        for (var item = 0; item < count; item++) { _stock.Post(item); }
        Arrived.Wait();
    }

    private void Take()
    {
        if (++_came == Volatile.Read(ref _expected)) { Arrived.Set(); }
    }

    private PassOn Inline()
    {
        var first = new PassOn();
        var last = first;
        for (var at = 1; at < Stages; at++)
        {
            var next = new PassOn();
            last.LinkTo(next);
            last = next;
        }
        last.LinkTo(new SinkStage<int>((in int _) => _came++));
        return first;
    }

    private TransformBlock<int, int> Stock()
    {
        var first = new TransformBlock<int, int>(static item => item);
        var last = first;
        for (var at = 1; at < Stages; at++)
        {
            var next = new TransformBlock<int, int>(static item => item);
            last.LinkTo(next);
            last = next;
        }
        last.LinkTo(new ActionBlock<int>(_ => Take()));
        return first;
    }

    private sealed class PassOn : InlineStage<int, int>
    {
        protected override void Process(in int item) => Out.Emit(item);
    }
}
