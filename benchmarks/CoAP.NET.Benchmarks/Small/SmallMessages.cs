using BenchmarkDotNet.Configs;

namespace CoAP.Benchmarks;

/// <summary>The messages that most exchanges consist of, beside code that was written for them alone.</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory, BenchmarkLogicalGroupRule.ByParams)]
[CategoriesColumn]
public class SmallMessages
{
    private SmallMessage _message = SmallMessage.All[0];

    [ParamsSource(nameof(Messages))]
    public string Message { get; set; } = "";

    public static IEnumerable<string> Messages => SmallMessage.All.Select(static message => message.Name);

    [GlobalSetup]
    public void SetUp() => _message = SmallMessage.All.First(message => message.Name == Message);

    [Benchmark(Baseline = true), BenchmarkCategory("decode")]
    public object HandWrittenDecode() => _message.HandWrittenDecode();

    [Benchmark, BenchmarkCategory("decode")]
    public object Decode() => _message.Decode();

    [Benchmark(Baseline = true), BenchmarkCategory("decode and read all")]
    public long HandWrittenDecodeAndRead() => _message.HandWrittenRead();

    [Benchmark, BenchmarkCategory("decode and read all")]
    public long DecodeAndReadTyped() => _message.ReadTyped();

    [Benchmark, BenchmarkCategory("decode and read all")]
    public long DecodeAndGetTyped() => _message.GetTyped();

    [Benchmark(Baseline = true), BenchmarkCategory("encode")]
    public byte[] HandWrittenEncode() => _message.HandWrittenEncode();

    [Benchmark, BenchmarkCategory("encode")]
    public byte[] Encode() => _message.Encode();

    [Benchmark(Baseline = true), BenchmarkCategory("stream")]
    public object? FromStream() => _message.FromStream();

    [Benchmark, BenchmarkCategory("stream")]
    public ValueTask<CoapMessage?> FromStreamAsync() => _message.FromStreamAsync();
}
