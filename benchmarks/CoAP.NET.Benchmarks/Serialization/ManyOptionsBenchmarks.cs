using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using CoAP.Benchmarks.HandWritten;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Serialization;

/// <summary>Messages with very many options, seven bytes each: the time is to grow with their number and not faster.</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class ManyOptionsBenchmarks
{
    private byte[] _bytes = [];
    private CoapMessage _message = new();
    private PlainMessage _plain = null!;

    /// <summary>The number of options.</summary>
    [Params(1_024, 65_536)]
    public int Options { get; set; }

    /// <summary>Makes the message in both forms.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        var options = Enumerable.Range(0, Options).Select(index => (CoapOption)new UnknownOption(index % 65_536, new byte[] { 1, 2, 3, 4, 5, 6, 7 })).ToArray();
        _message = new CoapMessage { Code = RequestCode.Get, Options = OptionSet.Create(options) };
        _bytes = CoapMessageSerializer.Datagram.Serialize(_message);
        _plain = PlainParser.Parse(_bytes)!;
    }

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("decode")]
    public object HandWrittenDecode() => PlainParser.Parse(_bytes)!;

    [Benchmark]
    [BenchmarkCategory("decode")]
    public object Decode() => CoapMessageSerializer.Datagram.Deserialize(_bytes.AsSpan());

    [Benchmark]
    [BenchmarkCategory("decode")]
    public int DecodeAndReadBytes()
    {
        var sum = 0;
        for (var reader = CoapMessageSerializer.Datagram.Deserialize(_bytes.AsSpan()).Options.Read(); reader.Next();) { sum += reader.Value[0]; }
        return sum;
    }

    [Benchmark]
    [BenchmarkCategory("decode")]
    public int DecodeAndReadTyped()
    {
        var sum = 0;
        foreach (var option in CoapMessageSerializer.Datagram.Deserialize(_bytes.AsSpan()).Options) { sum += option.Number; }
        return sum;
    }

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("encode")]
    public byte[] HandWrittenEncode() => PlainWriter.Write(_plain);

    [Benchmark]
    [BenchmarkCategory("encode")]
    public byte[] Encode() => CoapMessageSerializer.Datagram.Serialize(_message);
}
