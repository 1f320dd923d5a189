namespace CoAP.Benchmarks;

/// <summary>Writes to the same sink, sync and async.</summary>
public class SerializeToStream : GridBenchmarks
{
    private SocketEnd? _socket;
    private Stream _sink = Stream.Null;

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

    public override void CleanUp() => _socket?.Dispose();

    private protected override void Open()
    {
        _socket = End == StreamEnd.Socket ? SocketEnd.Draining() : null;
        _sink = End == StreamEnd.Memory ? new MemoryStream(new byte[Bytes.Length]) : _socket?.Stream ?? Stream.Null;
    }
}

/// <summary>Reads from the same source, sync and async.</summary>
public class DeserializeFromStream : GridBenchmarks
{
    private SocketEnd? _socket;
    private Stream _source = Stream.Null;

    [ParamsSource(nameof(AllEnds))]
    public StreamEnd End { get; set; }

    public static IEnumerable<StreamEnd> AllEnds => GridPlan.Current.Ends.Where(static end => end != StreamEnd.Null);

    [Benchmark(Baseline = true)]
    public object? Deserialize()
    {
        if (End == StreamEnd.Memory) { _source.Position = 0; }
        return Serializer.Deserialize(_source);
    }

    [Benchmark]
    public ValueTask<CoapMessage?> DeserializeAsync()
    {
        if (End == StreamEnd.Memory) { _source.Position = 0; }
        return Serializer.DeserializeAsync(_source);
    }

    public override void CleanUp() => _socket?.Dispose();

    private protected override void Open()
    {
        _socket = End == StreamEnd.Socket ? SocketEnd.Feeding(Bytes) : null;
        _source = (Stream?)_socket?.Stream ?? new MemoryStream(Bytes);
    }
}
