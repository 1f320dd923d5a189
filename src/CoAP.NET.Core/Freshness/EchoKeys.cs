namespace CoAP.Freshness;

/// <summary>The keys of Echo values. Each key signs for one era; values are accepted in its era and in the next one.</summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="draw">Fills a buffer with random bytes.</param>
internal sealed class EchoKeys(Action<Span<byte>> draw)
{
    private const int KeyLength = 32;

    private readonly Lock _rotating = new();
    private readonly Action<Span<byte>> _draw = draw;
    private Keys _keys = new(0, Draw(draw, KeyLength), Draw(draw, KeyLength));

    private sealed record Keys(long Era, byte[] Current, byte[] Previous);

    /// <summary>Returns the key that signs in this era.</summary>
    public byte[] ToSign(long era)
    {
        var keys = KeysFor(era);
        return era >= keys.Era ? keys.Current : keys.Previous;
    }

    /// <summary>Returns the key of a value from an era, or <see langword="null"/> if it no longer exists.</summary>
    public byte[]? ToVerify(long era, long currentEra)
    {
        var keys = KeysFor(currentEra);
        return era == keys.Era ? keys.Current : era == keys.Era - 1 ? keys.Previous : null;
    }

    private Keys KeysFor(long era)
    {
        var keys = Volatile.Read(ref _keys);
        return keys.Era >= era ? keys : Rotate(era);
    }

    private Keys Rotate(long era)
    {
        lock (_rotating)
        {
            if (_keys.Era >= era) { return _keys; }
            // After a pause of more than one era, no value was signed with the previous key.
            var previous = _keys.Era == era - 1 ? _keys.Current : Draw(_draw, KeyLength);
            var keys = new Keys(era, Draw(_draw, KeyLength), previous);
            Volatile.Write(ref _keys, keys);
            return keys;
        }
    }

    /// <summary>Returns random bytes.</summary>
    public static byte[] Draw(Action<Span<byte>> draw, int length)
    {
        var bytes = new byte[length];
        draw(bytes);
        return bytes;
    }
}
