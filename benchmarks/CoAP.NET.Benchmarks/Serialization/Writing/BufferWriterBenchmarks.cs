using System.Buffers;
using System.IO.Pipelines;
using BenchmarkDotNet.Attributes;
using CoAP.Benchmarks.Serialization.Grid;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Serialization.Writing;

/// <summary>The buffer between a message and its sink: ours, which takes one pooled array of the known size, beside those that grow.</summary>
[MemoryDiagnoser]
public class BufferWriterBenchmarks
{
    // Without back pressure: the reader is the same thread.
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 0, useSynchronizationContext: false));
    private readonly ArrayBufferWriter<byte> _kept = new();
    private byte[] _bytes = [];
    private CoapMessage _message = new();

    /// <summary>The options, seven bytes each; half as many bytes of payload come with them.</summary>
    [Params(0, 16, 1_024, 65_536)]
    public int Options { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        _message = GridMessage.Create(GridPlan.Seed, GridMessage.Options(GridPlan.Seed, Options, valueLength: 7), Options * 4);
        _bytes = CoapMessageSerializer.Datagram.Serialize(_message);
    }

    /// <summary>The size is known before, so one array of the pool is enough for all but a large payload, which is not copied at all.</summary>
    [Benchmark(Baseline = true)]
    public void ExactPooled() => CoapMessageSerializer.Datagram.Serialize(Stream.Null, _message);

    [Benchmark]
    public void ExactArray() => Stream.Null.Write(CoapMessageSerializer.Datagram.Serialize(_message));

    [Benchmark]
    public void GrowingPooled()
    {
        using var writer = new GrowingWriter();
        Pieces.Write(writer, _bytes);
        Stream.Null.Write(writer.WrittenSpan);
    }

    [Benchmark]
    public void ArrayBufferWriter()
    {
        var writer = new ArrayBufferWriter<byte>();
        Pieces.Write(writer, _bytes);
        Stream.Null.Write(writer.WrittenSpan);
    }

    [Benchmark]
    public void ArrayBufferWriterKept()
    {
        _kept.ResetWrittenCount();
        Pieces.Write(_kept, _bytes);
        Stream.Null.Write(_kept.WrittenSpan);
    }

    [Benchmark]
    public async ValueTask PipeWriter()
    {
        Pieces.Write(_pipe.Writer, _bytes);
        await _pipe.Writer.FlushAsync();
        var result = await _pipe.Reader.ReadAsync();
        foreach (var segment in result.Buffer) { Stream.Null.Write(segment.Span); }
        _pipe.Reader.AdvanceTo(result.Buffer.End);
    }
}
