using System.Buffers.Binary;
using System.Text;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using CoAP.Benchmarks.HandWritten;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Serialization;

/// <summary>A GET of 21 bytes and its answer of 50, beside what is hand-written for them alone.</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class SmallMessageBenchmarks
{
    private readonly CoapMessageSerializer _serializer = CoapMessageSerializer.Datagram;
    private readonly byte[] _get = CoapMessageSerializer.Datagram.Serialize(SmallMessages.Get);
    private readonly byte[] _content = CoapMessageSerializer.Datagram.Serialize(SmallMessages.Content);
    private CoapMessage _getMessage = SmallMessages.Get;
    private CoapMessage _contentMessage = SmallMessages.Content;
    private PlainMessage _plainGet = null!;
    private PlainMessage _plainContent = null!;

    /// <summary>Makes both forms of both messages and checks their sizes.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        (_getMessage, _contentMessage) = (SmallMessages.Get, SmallMessages.Content);
        (_plainGet, _plainContent) = (PlainParser.Parse(_get)!, PlainParser.Parse(_content)!);
        if (_get.Length != 21 || _content.Length != 50) { throw new InvalidOperationException($"{_get.Length} and {_content.Length} bytes"); }
    }

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("GET decode")]
    public object HandWrittenGetDecode() => PlainParser.Parse(_get)!;

    [Benchmark]
    [BenchmarkCategory("GET decode")]
    public object GetDecode() => _serializer.Deserialize(_get.AsSpan());

    [Benchmark]
    [BenchmarkCategory("GET decode")]
    public object GetDecodeInPlace() => _serializer.Deserialize(_get.AsMemory());

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("GET decode and read all")]
    public int HandWrittenGetDecodeAndRead()
    {
        var message = PlainParser.Parse(_get)!;
        var sum = 0;
        foreach (ref readonly var option in message.Options.AsSpan()) { sum += Encoding.UTF8.GetString(message.Value(option)).Length; }
        return sum;
    }

    [Benchmark]
    [BenchmarkCategory("GET decode and read all")]
    public int GetDecodeAndReadBytes()
    {
        var sum = 0;
        for (var reader = _serializer.Deserialize(_get.AsSpan()).Options.Read(); reader.Next();) { sum += Encoding.UTF8.GetString(reader.Value).Length; }
        return sum;
    }

    [Benchmark]
    [BenchmarkCategory("GET decode and read all")]
    public int GetDecodeAndReadTyped()
    {
        var sum = 0;
        foreach (var option in _serializer.Deserialize(_get.AsSpan()).Options)
        {
            if (option is UriPath path) { sum += path.Value.Length; }
        }
        return sum;
    }

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("GET encode")]
    public byte[] HandWrittenGetEncode() => PlainWriter.Write(_plainGet);

    [Benchmark]
    [BenchmarkCategory("GET encode")]
    public byte[] GetEncode() => _serializer.Serialize(_getMessage);

    [Benchmark]
    [BenchmarkCategory("GET encode")]
    public byte[] GetBuildAndEncode() => _serializer.Serialize(SmallMessages.Get);

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("2.05 decode")]
    public object HandWrittenContentDecode() => PlainParser.Parse(_content)!;

    [Benchmark]
    [BenchmarkCategory("2.05 decode")]
    public object ContentDecode() => _serializer.Deserialize(_content.AsSpan());

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("2.05 decode and read all")]
    public long HandWrittenContentDecodeAndRead()
    {
        var message = PlainParser.Parse(_content)!;
        var sum = 0L;
        foreach (ref readonly var option in message.Options.AsSpan())
        {
            var value = message.Value(option);
            sum += option.Number == 4 ? BinaryPrimitives.ReadUInt32BigEndian(value.ToArray()) : value[0];
        }
        return sum;
    }

    [Benchmark]
    [BenchmarkCategory("2.05 decode and read all")]
    public long ContentDecodeAndReadTyped()
    {
        var options = _serializer.Deserialize(_content.AsSpan()).Options;
        return options.Get<ETag>()!.Value.Length + options.Get<ContentFormat>()!.Value + options.Get<MaxAge>()!.Value;
    }

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("2.05 encode")]
    public byte[] HandWrittenContentEncode() => PlainWriter.Write(_plainContent);

    [Benchmark]
    [BenchmarkCategory("2.05 encode")]
    public byte[] ContentEncode() => _serializer.Serialize(_contentMessage);

    [Benchmark]
    [BenchmarkCategory("2.05 encode")]
    public byte[] ContentBuildAndEncode() => _serializer.Serialize(SmallMessages.Content);
}
