namespace CoAP.Benchmarks;

/// <summary>Writes to a new array, beside the hand-written encoder.</summary>
public class SerializeToArray : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public byte[] HandWritten() => Write();

    [Benchmark]
    public byte[] Serialize() => Serializer.Serialize(Message);

    /// <summary>Writes the options from their texts each time, as the case study's serializer does. The library keeps them written.</summary>
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

/// <summary>Reads from an array, which is copied, beside the hand-written parser.</summary>
public class DeserializeFromArray : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public object HandWritten() => Parse();

    [Benchmark]
    public object Deserialize() => Serializer.Deserialize(Bytes.AsSpan());

    /// <summary>Makes every option an object, as the case study's deserializer does. The library makes those that are asked for.</summary>
    [Benchmark]
    public int DeserializeAndReadTyped()
    {
        var letters = 0;
        foreach (var option in Serializer.Deserialize(Bytes.AsSpan()).Options) { letters += ((UriPath)option).Value.Length; }
        return letters;
    }
}
