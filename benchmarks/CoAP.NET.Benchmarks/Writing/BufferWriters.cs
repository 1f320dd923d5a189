using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Benchmarks;

/// <summary>The buffer between a message and its sink: one pooled array of the known size, beside buffers that grow.</summary>
[MemoryDiagnoser]
public class BufferWriters
{
    // Without back pressure, because the same thread reads.
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 0, useSynchronizationContext: false));
    private readonly ArrayBufferWriter<byte> _kept = new();
    private byte[] _bytes = [];
    private CoapMessage _message = new();

    /// <summary>The number of options, seven bytes each. The payload has four bytes for each option.</summary>
    [Params(0, 16, 1_024, 65_536)]
    public int Options { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        _message = GridMessage.Create(GridPlan.Seed, Options, valueLength: 7, Options * 4);
        _bytes = CoapMessageSerializer.Datagram.Serialize(_message);
    }

    /// <summary>The library's way: it computes the size in advance and does not copy a large payload.</summary>
    [Benchmark(Baseline = true)]
    public void ExactPooled() => CoapMessageSerializer.Datagram.Serialize(Stream.Null, _message);

    [Benchmark]
    public void ExactArray() => Stream.Null.Write(CoapMessageSerializer.Datagram.Serialize(_message));

    [Benchmark]
    public void GrowingPooled()
    {
        using var writer = new GrowingWriter();
        BufferGrowth.WriteInPieces(writer, _bytes);
        Stream.Null.Write(writer.WrittenSpan);
    }

    [Benchmark]
    public void ArrayBufferWriter()
    {
        var writer = new ArrayBufferWriter<byte>();
        BufferGrowth.WriteInPieces(writer, _bytes);
        Stream.Null.Write(writer.WrittenSpan);
    }

    [Benchmark]
    public void ArrayBufferWriterKept()
    {
        _kept.ResetWrittenCount();
        BufferGrowth.WriteInPieces(_kept, _bytes);
        Stream.Null.Write(_kept.WrittenSpan);
    }

    [Benchmark]
    public async ValueTask PipeWriter()
    {
        BufferGrowth.WriteInPieces(_pipe.Writer, _bytes);
        await _pipe.Writer.FlushAsync();
        var result = await _pipe.Reader.ReadAsync();
        foreach (var segment in result.Buffer) { Stream.Null.Write(segment.Span); }
        _pipe.Reader.AdvanceTo(result.Buffer.End);
    }
}
