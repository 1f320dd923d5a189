namespace CoAP.Stateless;

/// <summary>The token lengths that peers accept, as trials have shown (RFC 8974, section 2.2.2).</summary>
/// <remarks>Not safe for concurrent use. Times are monotonic ticks.</remarks>
internal sealed class TokenSupport(int capacity)
{
    // The shortest time for which an address, and what is known about it, is considered valid.
    private static readonly long Lifetime = TimeSpan.FromSeconds(1800).Ticks;

    // No response arrived, which may be due to a lost message.
    private static readonly long RetryAfter = TimeSpan.FromSeconds(60).Ticks;

    private readonly Dictionary<PeerIdentity, Entry> _peers = [];

    public int Count => _peers.Count;

    /// <summary>Returns whether the peer accepts tokens of this length, or <see langword="null"/> if that is unknown.</summary>
    public bool? Find(in PeerIdentity peer, int length, long now)
    {
        if (length <= Token.InlineLength) { return true; }
        if (!_peers.TryGetValue(peer, out var known)) { return null; }
        if (length <= known.Supported && now < known.SupportedUntil) { return true; }
        return length >= known.Refused && now < known.RefusedUntil ? false : null;
    }

    /// <summary>Called when a response contained a token of this length.</summary>
    public void Confirm(in PeerIdentity peer, int length, long now)
    {
        var known = For(peer, now);
        var isLonger = length >= known.Supported || now >= known.SupportedUntil;
        known = known with { SupportedUntil = isLonger ? now + Lifetime : known.SupportedUntil, Supported = isLonger ? length : known.Supported };
        _peers[peer] = known.Refused <= length ? known with { RefusedUntil = 0 } : known;
    }

    /// <summary>Called when the peer has rejected a token of this length or did not answer.</summary>
    public void Refuse(in PeerIdentity peer, int length, long now, bool hasAnswered)
    {
        var known = For(peer, now);
        var shortest = now < known.RefusedUntil ? Math.Min(known.Refused, length) : length;
        _peers[peer] = known with { Refused = shortest, RefusedUntil = now + (hasAnswered ? Lifetime : RetryAfter) };
    }

    private Entry For(in PeerIdentity peer, long now)
    {
        if (_peers.TryGetValue(peer, out var known)) { return known; }
        if (_peers.Count >= capacity) { MakeRoom(now); }
        return default;
    }

    private void MakeRoom(long now)
    {
        foreach (var (peer, entry) in _peers.ToArray())
        {
            if (entry.Until <= now) { _peers.Remove(peer); }
        }
        if (_peers.Count >= capacity) { _peers.Remove(_peers.MinBy(pair => pair.Value.Until).Key); }
    }

    private readonly record struct Entry(int Supported, long SupportedUntil, int Refused, long RefusedUntil)
    {
        public long Until => Math.Max(SupportedUntil, RefusedUntil);
    }
}
