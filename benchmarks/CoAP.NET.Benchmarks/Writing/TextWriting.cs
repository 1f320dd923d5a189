using System.Buffers;
using System.Text;

namespace CoAP.Benchmarks;

/// <summary>Ways to write the texts of 1,000 options to a stream (case study, tables 12 and 13: 5,383 and 211 KB).</summary>
[MemoryDiagnoser]
public class TextWriting
{
    private const int Count = 1_000;

    private static readonly MemoryStream Sink = new(new byte[1 << 20]);

    private readonly ArrayBufferWriter<byte> _buffer = new(1 << 20);
    private CoapOption[] _options = [];
    private string[] _texts = [];

    /// <summary>The letters of a text.</summary>
    [Params(7, 255)]
    public int ValueLength { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        _options = GridMessage.Options(GridPlan.Seed, Count, ValueLength);
        _texts = [.. _options.Select(static option => ((UriPath)option).Value)];
    }

    /// <summary>As in listing 9: a buffer of 4,096 characters for each text, and one for as many bytes as these could become.</summary>
    [Benchmark]
    public Task StreamWriterForEach() => ThroughWriters(4_096);

    /// <summary>With the default buffer of 1,024 characters, which matches the memory of table 12.</summary>
    [Benchmark]
    public Task StreamWriterForEachDefault() => ThroughWriters(-1);

    [Benchmark]
    public async Task StreamWriterForAll()
    {
        Sink.Position = 0;
        await using var writer = new StreamWriter(Sink, Encoding.UTF8, 4_096, leaveOpen: true);
        foreach (var text in _texts) { await writer.WriteAsync(text.AsMemory()); }
    }

    /// <summary>As in listing 10.</summary>
    [Benchmark(Baseline = true)]
    public async Task GetBytesAndStreamAsync()
    {
        Sink.Position = 0;
        foreach (var text in _texts) { await Sink.WriteAsync(Encoding.UTF8.GetBytes(text)); }
    }

    [Benchmark]
    public void GetBytesAndStream()
    {
        Sink.Position = 0;
        foreach (var text in _texts) { Sink.Write(Encoding.UTF8.GetBytes(text)); }
    }

    [Benchmark]
    public void Utf8IntoBufferWriter()
    {
        _buffer.ResetWrittenCount();
        foreach (var text in _texts) { _buffer.Advance(Encoding.UTF8.GetBytes(text, _buffer.GetSpan(text.Length * 3))); }
        Sink.Position = 0;
        Sink.Write(_buffer.WrittenSpan);
    }

    /// <summary>Writes the options with their numbers and lengths into an array of exactly their size, and that to the stream.</summary>
    [Benchmark]
    public ValueTask OptionSetAndSerializeAsync()
    {
        Sink.Position = 0;
        return CoapMessageSerializer.Datagram.SerializeAsync(Sink, new CoapMessage { Code = ResponseCode.Created, Options = OptionSet.Create(_options) });
    }

    private async Task ThroughWriters(int bufferSize)
    {
        Sink.Position = 0;
        foreach (var text in _texts)
        {
            await using var writer = new StreamWriter(Sink, Encoding.UTF8, bufferSize, leaveOpen: true);
            await writer.WriteAsync(text.AsMemory());
        }
    }
}
