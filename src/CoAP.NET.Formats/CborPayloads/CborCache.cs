namespace CoAP.Formats;

/// <summary>Keeps one writer and one reader for each thread. Each format has a cache of its own.</summary>
/// <remarks>A contract that uses the format again while it writes or reads gets a new writer or reader.</remarks>
internal sealed class CborCache(PayloadLimits limits)
{
    private const int Places = 8;

    private static int _caches;

    [ThreadStatic]
    private static Kept[]? _kept;

    // Formats live as long as the endpoint. Two formats in the same place only cost a new object for each change.
    private readonly int _place = (int)((uint)Interlocked.Increment(ref _caches) % Places);

    internal CborWriter TakeWriter()
    {
        ref var kept = ref Place();
        var writer = kept.Writer;
        if (writer is null || kept.Owner != this) { return new CborWriter(EmptyOutput.Instance); }
        kept.Writer = null;
        return writer;
    }

    internal CborReader TakeReader()
    {
        ref var kept = ref Place();
        var reader = kept.Reader;
        if (reader is null || kept.Owner != this) { return new CborReader(ReadOnlyMemory<byte>.Empty, limits); }
        kept.Reader = null;
        return reader;
    }

    internal void Return(CborWriter writer)
    {
        writer.Reset(EmptyOutput.Instance);
        Claim().Writer = writer;
    }

    internal void Return(CborReader reader)
    {
        reader.Reset(ReadOnlyMemory<byte>.Empty, limits);
        Claim().Reader = reader;
    }

    private ref Kept Claim()
    {
        ref var kept = ref Place();
        if (kept.Owner != this) { kept = new Kept { Owner = this }; }
        return ref kept;
    }

    private ref Kept Place() => ref (_kept ??= new Kept[Places])[_place];

    private struct Kept
    {
        internal CborCache? Owner;
        internal CborWriter? Writer;
        internal CborReader? Reader;
    }
}
