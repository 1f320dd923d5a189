namespace CoAP.Dtls;

/// <summary>The sequence numbers that a peer has used in an epoch (RFC 6347, section 4.1.2.6). Records that are older than the window count as used.</summary>
/// <remarks>A mutable structure. A field of this type must not be readonly.</remarks>
internal struct ReplayWindow
{
    /// <summary>The number of sequence numbers that the window covers.</summary>
    public const int Size = 64;

    private ulong _used;     // bit n: the highest number minus n

    /// <summary>The highest number so far. It has no meaning before the first <see cref="Accept"/>.</summary>
    public ulong Highest { get; private set; }

    /// <summary>Returns whether a number is new. Call <see cref="Accept"/> when the record has proved authentic.</summary>
    public readonly bool IsNew(ulong number)
    {
        if (_used == 0 || number > Highest) { return true; }
        var age = Highest - number;
        return age < Size && (_used >> (int)age & 1) == 0;
    }

    /// <summary>Marks the number of an authentic record as used. Returns whether it is the newest so far.</summary>
    public bool Accept(ulong number)
    {
        if (_used != 0 && number <= Highest)
        {
            _used |= 1UL << (int)(Highest - number);
            return false;
        }
        var ahead = number - Highest;
        _used = _used == 0 || ahead >= Size ? 1 : (_used << (int)ahead) | 1;
        Highest = number;
        return true;
    }

    /// <summary>Returns the window of a restored session: all numbers up to this one count as used.</summary>
    public static ReplayWindow Beyond(ulong highest) => new() { Highest = highest, _used = ulong.MaxValue };
}
