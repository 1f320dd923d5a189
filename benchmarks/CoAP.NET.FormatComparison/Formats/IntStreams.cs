using System.Runtime.InteropServices;
using CoAP.FormatComparison.Model;
using CoAP.FormatComparison.Schemas;
using Google.Protobuf;

namespace CoAP.FormatComparison.Formats;

/// <summary>A flat list of integers to and from a stream, item by item: neither side holds the serialized list in memory.</summary>
/// <param name="Format">The name of the format.</param>
/// <param name="Write">Writes the list.</param>
/// <param name="Read">Reads the list.</param>
internal sealed record IntStream(string Format, Action<Stream, int[]> Write, Action<Stream, IntCollector> Read)
{
    /// <summary>The asynchronous form; <see langword="null"/> if the format has none.</summary>
    public Func<Stream, int[], Task>? WriteAsync { get; init; }

    /// <inheritdoc cref="WriteAsync"/>
    public Func<Stream, IntCollector, Task>? ReadAsync { get; init; }
}

/// <summary>The formats as streams of integers.</summary>
internal static class IntStreams
{
    private const int ChunkLength = 4096;

    public static IReadOnlyList<IntStream> Of(FormatSet formats) =>
    [
        new(FormatNames.Bytes, WriteBytes, ReadBytes) { WriteAsync = WriteBytesAsync, ReadAsync = ReadBytesAsync },
        Cbor(formats.Cbor),
        MessagePack(formats.MessagePack),
        new(FormatNames.Protobuf, WriteDelimited, ReadDelimited),
        Json(formats.Json),
    ];

    private static IntStream Cbor(CborFormat format) =>
        new(
            FormatNames.Cbor, (stream, values) => format.WriteItems(stream, values, values.Length),
            (stream, list) => Collect(format.ReadItems<int>(stream), list))
        {
            WriteAsync = (stream, values) => format.WriteItemsAsync(stream, values, values.Length).AsTask(),
            ReadAsync = (stream, list) => CollectAsync(format.ReadItemsAsync<int>(stream), list),
        };

    private static IntStream Json(JsonFormat format) =>
        new(FormatNames.Json, (stream, values) => format.WriteItems(stream, values), (stream, list) => Collect(format.ReadItems<int>(stream), list))
        {
            WriteAsync = (stream, values) => format.WriteItemsAsync(stream, values).AsTask(),
            ReadAsync = (stream, list) => CollectAsync(format.ReadItemsAsync<int>(stream), list),
        };

    private static IntStream MessagePack(MessagePackFormat format) =>
        new(
            FormatNames.MessagePack, (stream, values) => format.WriteItems(stream, values, values.Length),
            (stream, list) => Collect(format.ReadItems<int>(stream), list))
        {
            WriteAsync = (stream, values) => format.WriteItemsAsync(stream, values, values.Length).AsTask(),
            ReadAsync = (stream, list) => CollectAsync(format.ReadItemsAsync<int>(stream), list),
        };

    private static void Collect(IEnumerable<int> values, IntCollector list)
    {
        foreach (var value in values) { list.Add(value); }
    }

    private static async Task CollectAsync(IAsyncEnumerable<int> values, IntCollector list)
    {
        await foreach (var value in values) { list.Add(value); }
    }

    private static void WriteBytes(Stream stream, int[] values)
    {
        foreach (var chunk in Chunks(values)) { stream.Write(MemoryMarshal.AsBytes(chunk.AsSpan())); }
    }

    private static async Task WriteBytesAsync(Stream stream, int[] values)
    {
        var buffer = new byte[ChunkLength * sizeof(int)];
        foreach (var chunk in Chunks(values))
        {
            MemoryMarshal.AsBytes(chunk.AsSpan()).CopyTo(buffer);
            await stream.WriteAsync(buffer.AsMemory(0, chunk.Count * sizeof(int)));
        }
    }

    private static void ReadBytes(Stream stream, IntCollector list)
    {
        var buffer = new byte[ChunkLength * sizeof(int)];
        while (stream.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false) is > 0 and var length)
        {
            list.Add(MemoryMarshal.Cast<byte, int>(buffer.AsSpan(0, length)));
        }
    }

    private static async Task ReadBytesAsync(Stream stream, IntCollector list)
    {
        var buffer = new byte[ChunkLength * sizeof(int)];
        while (await stream.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false) is > 0 and var length)
        {
            list.Add(MemoryMarshal.Cast<byte, int>(buffer.AsSpan(0, length)));
        }
    }

    // A Protobuf message has to be in memory as a whole. So the list becomes many messages, each with its length before it.
    private static void WriteDelimited(Stream stream, int[] values)
    {
        using var output = new CodedOutputStream(stream, leaveOpen: true);
        var message = new Int32List();
        foreach (var chunk in Chunks(values))
        {
            message.Values.Clear();
            message.Values.AddRange(chunk);
            output.WriteMessage(message);
        }
    }

    // The input counts up to 2 GiB, and the list has less. It is not disposed of, because that would close the stream.
    private static void ReadDelimited(Stream stream, IntCollector list)
    {
        var input = CodedInputStream.CreateWithLimits(stream, int.MaxValue, 100);
        var message = new Int32List();
        while (!input.IsAtEnd)
        {
            message.Values.Clear();
            input.ReadMessage(message);
            foreach (var value in message.Values) { list.Add(value); }
        }
    }

    private static IEnumerable<ArraySegment<int>> Chunks(int[] values)
    {
        for (var at = 0; at < values.Length; at += ChunkLength)
        {
            yield return new ArraySegment<int>(values, at, Math.Min(ChunkLength, values.Length - at));
        }
    }
}
