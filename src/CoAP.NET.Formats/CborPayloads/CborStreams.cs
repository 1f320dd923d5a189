using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Connects streams with the sources and sinks of large arrays.</summary>
internal static class CborStreams
{
    private const int Batch = 256;

    internal static void Write<T>(Stream stream, IEnumerable<T> items, CborItemSink<T> sink)
    {
        using var _ = sink;
        if (items is T[] or List<T>)
        {
            for (var written = 0; SpanOf(items)[written..] is { IsEmpty: false } rest;)
            {
                written += sink.Write(rest);
                if (sink.IsFull) { stream.Write(sink.Take().Span); }
            }
        }
        else
        {
            foreach (var item in items)
            {
                sink.Write(item);
                if (sink.IsFull) { stream.Write(sink.Take().Span); }
            }
        }
        sink.CheckCount();
        stream.Write(sink.Take().Span);
    }

    internal static async ValueTask WriteAsync<T>(Stream stream, IEnumerable<T> items, CborItemSink<T> sink, CancellationToken cancellationToken)
    {
        using var _ = sink;
        if (items is T[] or List<T>)
        {
            for (var written = 0; written < SpanOf(items).Length;)
            {
                written += sink.Write(SpanOf(items)[written..]);
                if (sink.IsFull) { await stream.WriteAsync(sink.Take(), cancellationToken).ConfigureAwait(false); }
            }
        }
        else
        {
            foreach (var item in items)
            {
                sink.Write(item);
                if (sink.IsFull) { await stream.WriteAsync(sink.Take(), cancellationToken).ConfigureAwait(false); }
            }
        }
        sink.CheckCount();
        await stream.WriteAsync(sink.Take(), cancellationToken).ConfigureAwait(false);
    }

    internal static async ValueTask WriteAsync<T>(Stream stream, IAsyncEnumerable<T> items, CborItemSink<T> sink, CancellationToken cancellationToken)
    {
        using var _ = sink;
        await foreach (var item in items.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            sink.Write(item);
            if (sink.IsFull) { await stream.WriteAsync(sink.Take(), cancellationToken).ConfigureAwait(false); }
        }
        sink.CheckCount();
        await stream.WriteAsync(sink.Take(), cancellationToken).ConfigureAwait(false);
    }

    internal static IEnumerable<T> Read<T>(Stream stream, CborItemSource<T> source)
    {
        source.Open();
        using var _ = source;
        var batch = new T[typeof(T) == typeof(int) ? Batch : 1];
        while (!source.IsDone)
        {
            for (int count; (count = Next(source, batch)) > 0;)
            {
                for (var i = 0; i < count; i++) { yield return batch[i]; }
            }
            if (!source.IsDone) { source.Accept(stream.Read(source.Room().Span)); }
        }
    }

    internal static async IAsyncEnumerable<T> ReadAsync<T>(
        Stream stream, CborItemSource<T> source, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        source.Open();
        using var _ = source;
        var batch = new T[typeof(T) == typeof(int) ? Batch : 1];
        while (!source.IsDone)
        {
            for (int count; (count = Next(source, batch)) > 0;)
            {
                for (var i = 0; i < count; i++) { yield return batch[i]; }
            }
            if (!source.IsDone) { source.Accept(await stream.ReadAsync(source.Room(), cancellationToken).ConfigureAwait(false)); }
        }
    }

    internal static CborArrayBuilder<T> Collect<T>(Stream stream, CborItemSource<T> source, bool isList)
    {
        source.Open();
        using var _ = source;
        var items = new CborArrayBuilder<T>(source, isList) { KnownBytes = LengthOf(stream) };
        while (!source.IsDone)
        {
            source.Accept(stream.Read(source.Room().Span));
            items.Collect();
        }
        return items;
    }

    internal static async ValueTask<CborArrayBuilder<T>> CollectAsync<T>(
        Stream stream, CborItemSource<T> source, bool isList, CancellationToken cancellationToken)
    {
        source.Open();
        using var _ = source;
        var items = new CborArrayBuilder<T>(source, isList) { KnownBytes = LengthOf(stream) };
        while (!source.IsDone)
        {
            source.Accept(await stream.ReadAsync(source.Room(), cancellationToken).ConfigureAwait(false));
            items.Collect();
        }
        return items;
    }

    // Integers come in batches. Other items come one by one, so that those before an error are not lost.
    private static int Next<T>(CborItemSource<T> source, T[] batch)
    {
        var count = source.TakeIntegers(batch);
        if (count > 0) { return count; }
        if (!source.TryRead(out var item)) { return 0; }
        batch[0] = item;
        return 1;
    }

    private static ReadOnlySpan<T> SpanOf<T>(IEnumerable<T> items) => items is List<T> list ? CollectionsMarshal.AsSpan(list) : (T[])items;

    private static long LengthOf(Stream stream) => stream.CanSeek ? Math.Max(0, stream.Length - stream.Position) : 0;
}
