using System.Runtime.CompilerServices;

namespace CoAP.Formats;

/// <summary>Moves the bytes of arrays between streams and items.</summary>
internal static class MessagePackStreams
{
    internal static void Write<T>(Stream stream, IEnumerable<T> items, MessagePackItemSink<T> sink)
    {
        ArgumentNullException.ThrowIfNull(stream);
        foreach (var item in items)
        {
            sink.Write(item);
            if (!sink.IsFull) { continue; }
            stream.Write(sink.Written.Span);
            sink.Clear();
        }
        sink.CheckCount();
        stream.Write(sink.Written.Span);
    }

    internal static async ValueTask WriteAsync<T>(
        Stream stream, IAsyncEnumerable<T> items, MessagePackItemSink<T> sink, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(stream);
        await foreach (var item in items.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            sink.Write(item);
            if (!sink.IsFull) { continue; }
            await stream.WriteAsync(sink.Written, cancellationToken).ConfigureAwait(false);
            sink.Clear();
        }
        sink.CheckCount();
        await stream.WriteAsync(sink.Written, cancellationToken).ConfigureAwait(false);
    }

    internal static IEnumerable<T> Read<T>(Stream stream, MessagePackItemSource<T> source)
    {
        using var _ = source;
        while (!source.IsDone)
        {
            while (source.TryRead(out var item)) { yield return item; }
            if (!source.IsDone) { source.Accept(stream.Read(source.Room().Span)); }
        }
    }

    internal static async IAsyncEnumerable<T> ReadAsync<T>(
        Stream stream, MessagePackItemSource<T> source, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using var _ = source;
        while (!source.IsDone)
        {
            while (source.TryRead(out var item)) { yield return item; }
            if (!source.IsDone) { source.Accept(await stream.ReadAsync(source.Room(), cancellationToken).ConfigureAwait(false)); }
        }
    }
}
