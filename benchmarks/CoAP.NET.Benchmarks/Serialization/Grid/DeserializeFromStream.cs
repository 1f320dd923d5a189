using BenchmarkDotNet.Attributes;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>Sync and async from the same source.</summary>
public class DeserializeFromStream : GridBenchmarks
{
    private SocketEnd? _socket;
    private OneMessageStream? _one;
    private Stream _source = Stream.Null;

    /// <summary>The source.</summary>
    [ParamsSource(nameof(AllEnds))]
    public StreamEnd End { get; set; }

    public static IEnumerable<StreamEnd> AllEnds => GridPlan.Current.Ends.Where(end => end != StreamEnd.Null);

    [Benchmark(Baseline = true)]
    public object? Deserialize()
    {
        Rewind();
        return Serializer.Deserialize(_source);
    }

    [Benchmark]
    public ValueTask<CoapMessage?> DeserializeAsync()
    {
        Rewind();
        return Serializer.DeserializeAsync(_source);
    }

    /// <inheritdoc/>
    public override void CleanUp() => _socket?.Dispose();

    private protected override void Open()
    {
        _socket = End == StreamEnd.Socket ? SocketEnd.Feeding(Bytes) : null;
        // The form of datagrams ends where the stream ends.
        _one = _socket is not null && Form == WireForm.Datagram ? new OneMessageStream(_socket.Stream, Bytes.Length) : null;
        _source = (Stream?)_one ?? (Stream?)_socket?.Stream ?? new MemoryStream(Bytes);
    }

    private void Rewind()
    {
        if (End == StreamEnd.Memory) { _source.Position = 0; }
        _one?.Begin();
    }
}
