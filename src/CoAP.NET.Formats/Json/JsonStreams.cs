using System.Runtime.CompilerServices;

namespace CoAP.Formats;

/// <summary>Connects streams with the sources and sinks of JSON arrays.</summary>
internal static class JsonStreams
{
    /// <summary>Reads the items of an array from a stream.</summary>
    public static IEnumerable<T> Read<T>(Stream stream, Func<JsonItemSource<T>> open)
    {
        using var source = open();
        while (!source.IsEnded)
        {
            while (source.TryRead(out var item)) { yield return item; }
            if (!source.IsEnded) { source.Advance(stream.Read(source.Free().Span)); }
        }
    }

    /// <summary>Reads the items of an array from a stream.</summary>
    public static async IAsyncEnumerable<T> ReadAsync<T>(
        Stream stream, Func<JsonItemSource<T>> open, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using var source = open();
        while (!source.IsEnded)
        {
            while (source.TryRead(out var item)) { yield return item; }
            if (!source.IsEnded) { source.Advance(await stream.ReadAsync(source.Free(), cancellationToken).ConfigureAwait(false)); }
        }
    }

    /// <summary>Writes items to a stream.</summary>
    public static void Write<T>(Stream stream, IEnumerable<T> items, JsonItemSink<T> sink)
    {
        using (sink)
        {
            foreach (var item in items)
            {
                sink.Write(item);
                if (sink.IsFull)
                {
                    stream.Write(sink.Written.Span);
                    sink.Clear();
                }
            }
            sink.End();
            stream.Write(sink.Written.Span);
        }
    }

    /// <summary>Writes items to a stream.</summary>
    public static async ValueTask WriteAsync<T>(Stream stream, IEnumerable<T> items, JsonItemSink<T> sink, CancellationToken cancellationToken)
    {
        using (sink)
        {
            foreach (var item in items)
            {
                sink.Write(item);
                if (sink.IsFull) { await SendAsync(stream, sink, cancellationToken).ConfigureAwait(false); }
            }
            sink.End();
            await SendAsync(stream, sink, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes items to a stream.</summary>
    public static async ValueTask WriteAsync<T>(Stream stream, IAsyncEnumerable<T> items, JsonItemSink<T> sink, CancellationToken cancellationToken)
    {
        using (sink)
        {
            await foreach (var item in items.WithCancellation(cancellationToken).ConfigureAwait(false))
            {
                sink.Write(item);
                if (sink.IsFull) { await SendAsync(stream, sink, cancellationToken).ConfigureAwait(false); }
            }
            sink.End();
            await SendAsync(stream, sink, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async ValueTask SendAsync<T>(Stream stream, JsonItemSink<T> sink, CancellationToken cancellationToken)
    {
        await stream.WriteAsync(sink.Written, cancellationToken).ConfigureAwait(false);
        sink.Clear();
    }
}
