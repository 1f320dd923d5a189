using BenchmarkDotNet.Attributes;
using CoAP.Options;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>To a new array, beside the hand-written encoder.</summary>
public class SerializeToArray : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public byte[] HandWritten() => PlainWriterBytes();

    [Benchmark]
    public byte[] Serialize() => Serializer.Serialize(Message);

    /// <summary>The options are written from their texts each time, as the case study's serializer did; ours keeps them written.</summary>
    [Benchmark]
    public byte[] BuildAndSerialize() => Serializer.Serialize(new CoapMessage
    {
        Type = Message.Type,
        Code = Message.Code,
        MessageId = Message.MessageId,
        Token = Message.Token,
        Options = OptionSet.Create(Typed),
        Payload = Message.Payload,
    });
}
