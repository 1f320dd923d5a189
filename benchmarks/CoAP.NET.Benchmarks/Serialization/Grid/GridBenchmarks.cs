using BenchmarkDotNet.Attributes;
using CoAP.Benchmarks.HandWritten;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>What all cells of the grid have in common: the message, its bytes and the baseline's form of it.</summary>
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

    /// <summary>The form on the wire.</summary>
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

    private protected PlainMessage Plain { get; private set; } = null!;

    /// <summary>Makes the message anew from the run's seed.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        Serializer = Form == WireForm.Datagram ? CoapMessageSerializer.Datagram : CoapMessageSerializer.Stream;
        Typed = GridMessage.Options(GridPlan.Seed, Options, ValueLength);
        Message = GridMessage.Create(GridPlan.Seed, Typed, Payload);
        Bytes = Serializer.Serialize(Message);
        Plain = (Form == WireForm.Datagram ? PlainParser.Parse(Bytes) : PlainParser.ParseFrame(Bytes))!;
        if (!PlainWriterBytes().AsSpan().SequenceEqual(Bytes)) { throw new InvalidOperationException($"Seed {GridPlan.Seed}: the baseline writes other bytes."); }
        Open();
    }

    /// <summary>Lets go of what <see cref="Open"/> opened.</summary>
    [GlobalCleanup]
    public virtual void CleanUp()
    {
    }

    private protected byte[] PlainWriterBytes() => Form == WireForm.Datagram ? PlainWriter.Write(Plain) : PlainWriter.WriteFrame(Plain);

    private protected virtual void Open()
    {
    }
}
