namespace CoAP.Exchanges;

/// <summary>The number of bytes of a large message that the peer has accepted.</summary>
internal struct SendProgress
{
    private long _sent;

    /// <summary>Sets the number, if it is known, and returns by how much it has grown.</summary>
    public long Advance(long? sent)
    {
        var more = Math.Max(0, (sent ?? 0) - _sent);
        _sent += more;
        return more;
    }
}
