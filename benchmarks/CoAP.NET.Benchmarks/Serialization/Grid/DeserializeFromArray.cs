using BenchmarkDotNet.Attributes;
using CoAP.Benchmarks.HandWritten;
using CoAP.Options;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>From an array, which is copied, beside the hand-written parser.</summary>
public class DeserializeFromArray : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public object HandWritten() => (Form == WireForm.Datagram ? PlainParser.Parse(Bytes) : PlainParser.ParseFrame(Bytes))!;

    [Benchmark]
    public object Deserialize() => Serializer.Deserialize(Bytes.AsSpan());

    /// <summary>Every option as an object, as the case study's deserializer made them; ours makes those that are asked for.</summary>
    [Benchmark]
    public int DeserializeAndReadTyped()
    {
        var letters = 0;
        foreach (var option in Serializer.Deserialize(Bytes.AsSpan()).Options) { letters += ((UriPath)option).Value.Length; }
        return letters;
    }
}
