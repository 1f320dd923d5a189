namespace CoAP.Benchmarks;

/// <summary>The same work, sync and async, with the same kind of stream as its end.</summary>
internal sealed record Pair(string Method, string End, Func<ValueTask> Sync, Func<ValueTask> Async);

/// <summary>Serialize beside SerializeAsync, and Deserialize beside DeserializeAsync, for each end of one message.</summary>
internal static class CodecPairs
{
    private static readonly CoapMessageSerializer Datagram = CoapMessageSerializer.Datagram;
    private static readonly CoapMessageSerializer Framed = CoapMessageSerializer.Stream;

    /// <summary>Returns the pairs. Each is valid until the next one is asked for.</summary>
    public static IEnumerable<Pair> Of(CoapMessage message)
    {
        var bytes = Datagram.Serialize(message);
        var (sink, source, other) = (new MemoryStream(new byte[bytes.Length]), new MemoryStream(bytes), new MessageStream(bytes));
        yield return Writing("Stream.Null", Datagram, Stream.Null, Stream.Null, message);
        yield return Writing("MemoryStream", Datagram, sink, sink, message);
        yield return Reading("MemoryStream", Datagram, source, source);
        yield return Reading("other stream", Datagram, other, other);
        // A socket for each form: once awaited, a socket is non-blocking and .NET imitates blocking calls on it.
        using var firstDrain = SocketEnd.Draining();
        using var secondDrain = SocketEnd.Draining();
        yield return Writing("socket", Framed, firstDrain.Stream, secondDrain.Stream, message);
        var frame = Framed.Serialize(message);
        using var firstFeed = SocketEnd.Feeding(frame);
        using var secondFeed = SocketEnd.Feeding(frame);
        yield return Reading("socket", Framed, firstFeed.Stream, secondFeed.Stream);
    }

    private static Pair Writing(string end, CoapMessageSerializer serializer, Stream syncSink, Stream asyncSink, CoapMessage message) => new(
        "SerializeAsync",
        end,
        () =>
        {
            serializer.Serialize(Rewind(syncSink), message);
            return default;
        },
        () => serializer.SerializeAsync(Rewind(asyncSink), message));

    private static Pair Reading(string end, CoapMessageSerializer serializer, Stream syncSource, Stream asyncSource) => new(
        "DeserializeAsync",
        end,
        () => Drop(new(serializer.Deserialize(Rewind(syncSource)))),
        () => Drop(serializer.DeserializeAsync(Rewind(asyncSource))));

    private static Stream Rewind(Stream stream)
    {
        if (stream.CanSeek) { stream.Position = 0; }
        return stream;
    }

    // Uses no state machine when the message is there: its cost would count as the serializer's.
    private static ValueTask Drop(ValueTask<CoapMessage?> reading)
    {
        if (!reading.IsCompletedSuccessfully) { return DropAsync(reading); }
        _ = reading.Result ?? throw new EndOfStreamException();
        return default;
    }

    private static async ValueTask DropAsync(ValueTask<CoapMessage?> reading) => _ = await reading ?? throw new EndOfStreamException();
}
