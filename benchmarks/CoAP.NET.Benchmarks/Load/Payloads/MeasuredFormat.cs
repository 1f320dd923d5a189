using System.Buffers;
using CoAP.Formats;

namespace CoAP.Benchmarks.Load;

/// <summary>A format whose cost is measured: what is sent in it, and the handler that takes and returns values.</summary>
internal abstract class MeasuredFormat(string name, IPayloadFormat format)
{
    public static IReadOnlyList<MeasuredFormat> All { get; } =
    [
        new MeasuredFormat<Reading>("JSON", new JsonFormat(ReadingJson.Default), Reading.Sample, Next),
        new MeasuredFormat<Reading>("CBOR", new CborFormat(ReadingContracts.Default), Reading.Sample, Next),
        new MeasuredFormat<Reading>("MessagePack", new MessagePackFormat(ReadingShapes.GeneratedTypeShapeProvider), Reading.Sample, Next),
        new MeasuredFormat<SenmlPack>("SenML-JSON", new SenmlJsonFormat(), ReadingPack.Sample, ReadingPack.Next),
        new MeasuredFormat<SenmlPack>("SenML-CBOR", new SenmlCborFormat(), ReadingPack.Sample, ReadingPack.Next),
    ];

    public string Name => name;

    public IPayloadFormat Format => format;

    /// <summary>The payload of each request.</summary>
    public abstract byte[] Request { get; }

    /// <summary>The payload of each answer.</summary>
    public abstract byte[] Answer { get; }

    public static MeasuredFormat Of(string name) => All.First(one => one.Name == name);

    /// <summary>Reads the value of a request and answers with another one.</summary>
    public abstract CoapResponse Handle(IncomingRequest request);

    /// <summary>Reads the value of a payload and writes another one, without a server.</summary>
    public abstract void Convert(ReadOnlyMemory<byte> payload, IBufferWriter<byte> output);

    private static Reading Next(Reading reading) => reading with { Sequence = reading.Sequence + 1 };
}

/// <inheritdoc/>
internal sealed class MeasuredFormat<T>(string name, IPayloadFormat format, T value, Func<T, T> next) : MeasuredFormat(name, format)
{
    public override byte[] Request { get; } = Write(format, value);

    public override byte[] Answer { get; } = Write(format, next(value));

    public override CoapResponse Handle(IncomingRequest request) => Response.Content(next(request.Read<T>()));

    public override void Convert(ReadOnlyMemory<byte> payload, IBufferWriter<byte> output) => Format.Write(output, next(Format.Read<T>(payload)));

    private static byte[] Write(IPayloadFormat format, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }
}
