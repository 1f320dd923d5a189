namespace CoAP.Formats;

/// <summary>Keeps one writer and one reader of a format for each thread.</summary>
/// <remarks>A contract that uses the format again while it writes or reads gets a new writer or reader.</remarks>
internal sealed class ItemCache(ItemFormat format)
{
    private const int Places = 8;

    private static int _formats;

    [ThreadStatic]
    private static Kept[]? _kept;

    // Formats live as long as the endpoint. Two formats in the same place only cost a new object for each change.
    private readonly int _place = (int)((uint)Interlocked.Increment(ref _formats) % Places);

    internal ItemWriter TakeWriter()
    {
        ref var kept = ref Place();
        var writer = kept.Writer;
        if (writer is null || kept.Format != format) { return format.NewWriter(); }
        kept.Writer = null;
        return writer;
    }

    internal ItemReader TakeReader()
    {
        ref var kept = ref Place();
        var reader = kept.Reader;
        if (reader is null || kept.Format != format) { return format.NewReader(); }
        kept.Reader = null;
        return reader;
    }

    internal void Return(ItemWriter writer)
    {
        writer.Reset(EmptyOutput.Instance);
        Claim().Writer = writer;
    }

    internal void Return(ItemReader reader, PayloadLimits limits)
    {
        reader.Reset(ReadOnlyMemory<byte>.Empty, limits);
        Claim().Reader = reader;
    }

    private ref Kept Claim()
    {
        ref var kept = ref Place();
        if (kept.Format != format) { kept = new Kept { Format = format }; }
        return ref kept;
    }

    private ref Kept Place() => ref (_kept ??= new Kept[Places])[_place];

    private struct Kept
    {
        internal ItemFormat? Format;
        internal ItemWriter? Writer;
        internal ItemReader? Reader;
    }
}
