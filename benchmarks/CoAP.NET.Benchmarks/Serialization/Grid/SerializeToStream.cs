using BenchmarkDotNet.Attributes;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>Sync and async to the same sink.</summary>
public class SerializeToStream : GridBenchmarks
{
    private SocketEnd? _socket;
    private Stream _sink = Stream.Null;

    /// <summary>The sink.</summary>
    [ParamsSource(nameof(AllEnds))]
    public StreamEnd End { get; set; }

    public static IEnumerable<StreamEnd> AllEnds => GridPlan.Current.Ends;

    [Benchmark(Baseline = true)]
    public void Serialize()
    {
        if (End == StreamEnd.Memory) { _sink.Position = 0; }
        Serializer.Serialize(_sink, Message);
    }

    [Benchmark]
    public ValueTask SerializeAsync()
    {
        if (End == StreamEnd.Memory) { _sink.Position = 0; }
        return Serializer.SerializeAsync(_sink, Message);
    }

    /// <inheritdoc/>
    public override void CleanUp() => _socket?.Dispose();

    private protected override void Open()
    {
        _socket = End == StreamEnd.Socket ? SocketEnd.Draining() : null;
        _sink = End == StreamEnd.Memory ? new MemoryStream(new byte[Bytes.Length]) : _socket?.Stream ?? Stream.Null;
    }
}
