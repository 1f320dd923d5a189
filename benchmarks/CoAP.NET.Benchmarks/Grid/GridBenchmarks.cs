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

    /// <summary>The length of an option's value in bytes.</summary>
    [ParamsSource(nameof(AllValueLengths))]
    public int ValueLength { get; set; }

    [ParamsSource(nameof(AllForms))]
    public WireForm Form { get; set; }

    public static IEnumerable<int> AllOptions => GridPlan.Current.Options;

    public static IEnumerable<int> AllPayloads => GridPlan.Current.Payloads;

    public static IEnumerable<int> AllValueLengths => GridPlan.Current.ValueLengths;

    public static IEnumerable<WireForm> AllForms => GridPlan.Current.Forms;

    private protected CoapMessageSerializer Serializer { get; private set; } = CoapMessageSerializer.Datagram;

    private protected CoapOption[] Typed { get; private set; } = [];

    private protected CoapMessage Message { get; private set; } = new();

    private protected byte[] Bytes { get; private set; } = [];

    [GlobalSetup]
    public void SetUp()
    {
        Serializer = Form == WireForm.Datagram ? CoapMessageSerializer.Datagram : CoapMessageSerializer.Stream;
        Typed = GridMessage.Options(GridPlan.Seed, Options, ValueLength);
        Message = GridMessage.Create(GridPlan.Seed, Typed, Payload);
        Bytes = Serializer.Serialize(Message);
        Plain = Parse();
        if (!Write().AsSpan().SequenceEqual(Bytes)) { throw new InvalidOperationException($"Seed {GridPlan.Seed}: the hand-written encoder writes other bytes."); }
        Open();
    }

    [GlobalCleanup]
    public virtual void CleanUp()
    {
    }

    private PlainMessage Plain { get; set; } = null!;

    private protected PlainMessage Parse() => (Form == WireForm.Datagram ? PlainParser.Parse(Bytes) : PlainParser.ParseFrame(Bytes))!;

    private protected byte[] Write() => Form == WireForm.Datagram ? PlainWriter.Write(Plain) : PlainWriter.WriteFrame(Plain);

    private protected virtual void Open()
    {
    }
}
