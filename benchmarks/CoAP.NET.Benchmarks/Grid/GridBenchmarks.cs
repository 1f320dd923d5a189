namespace CoAP.Benchmarks;

/// <summary>The message of a cell, its bytes, and its hand-written form.</summary>
[MemoryDiagnoser]
public abstract class GridBenchmarks
{
    /// <summary>The number of Uri-Path options.</summary>
    [ParamsSource(nameof(AllOptions))]
    public int Options { get; set; }

    /// <summary>The length of the payload in bytes.</summary>
    [ParamsSource(nameof(AllPayloads))]
    public int Payload { get; set; }

    public static IEnumerable<int> AllOptions => GridPlan.Current.Options;

    public static IEnumerable<int> AllPayloads => GridPlan.Current.Payloads;

    private protected static CoapMessageSerializer Serializer => CoapMessageSerializer.Datagram;

    private protected CoapOption[] Typed { get; private set; } = [];

    private protected CoapMessage Message { get; private set; } = new();

    private protected byte[] Bytes { get; private set; } = [];

    private protected PlainMessage Plain { get; private set; } = null!;

    /// <summary>A stream over an array of the message's length, which holds the message.</summary>
    private protected MemoryStream Memory { get; private set; } = new();

    [GlobalSetup]
    public void SetUp()
    {
        Typed = GridMessage.Options(GridPlan.Seed, Options, GridPlan.Current.ValueLength);
        Message = GridMessage.Create(GridPlan.Seed, Typed, Payload);
        Bytes = Serializer.Serialize(Message);
        Memory = new MemoryStream([.. Bytes]);
        Plain = PlainParser.Parse(Bytes)!;
        var isSame = PlainWriter.Write(Plain).AsSpan().SequenceEqual(Bytes);
        if (!isSame) { throw new InvalidOperationException($"Seed {GridPlan.Seed}: the hand-written encoder writes other bytes."); }
    }
}

/// <summary>Writes to a new array, beside the hand-written encoder.</summary>
public class SerializeToArray : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public byte[] HandWritten() => PlainWriter.Write(Plain);

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

/// <summary>Writes to a <see cref="MemoryStream"/>, sync and async.</summary>
public class SerializeToStream : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public void Serialize()
    {
        Memory.Position = 0;
        Serializer.Serialize(Memory, Message);
    }

    [Benchmark]
    public ValueTask SerializeAsync()
    {
        Memory.Position = 0;
        return Serializer.SerializeAsync(Memory, Message);
    }
}

/// <summary>Reads from an array, which is copied, beside the hand-written parser.</summary>
public class DeserializeFromArray : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public object HandWritten() => PlainParser.Parse(Bytes)!;

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

/// <summary>Reads from a <see cref="MemoryStream"/>, sync and async.</summary>
public class DeserializeFromStream : GridBenchmarks
{
    [Benchmark(Baseline = true)]
    public object? Deserialize()
    {
        Memory.Position = 0;
        return Serializer.Deserialize(Memory);
    }

    [Benchmark]
    public ValueTask<CoapMessage?> DeserializeAsync()
    {
        Memory.Position = 0;
        return Serializer.DeserializeAsync(Memory);
    }
}
