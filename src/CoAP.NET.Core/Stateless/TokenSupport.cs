namespace CoAP.Stateless;

/// <summary>What trials have shown of the token lengths that peers take (RFC 8974, section 2.2.2).</summary>
/// <remarks>Not safe for concurrent use. Times are monotonic ticks.</remarks>
internal sealed class TokenSupport(int capacity)
{
    // The least time for which addresses, and with them what was learned, are believed.
    private static readonly long Lifetime = TimeSpan.FromSeconds(1800).Ticks;

    // Nobody answered: that may be a lost message as well.
    private static readonly long RetryAfter = TimeSpan.FromSeconds(60).Ticks;

    private readonly Dictionary<PeerIdentity, Entry> _peers = [];

    public int Count => _peers.Count;

    /// <summary>Whether the peer takes tokens of this length; nothing where a trial has to show it.</summary>
    public bool? Find(in PeerIdentity peer, int length, long now)
    {
        if (length <= Token.InlineLength) { return true; }
        if (!_peers.TryGetValue(peer, out var known)) { return null; }
        if (length <= known.Supported && now < known.SupportedUntil) { return true; }
        return length >= known.Refused && now < known.RefusedUntil ? false : null;
    }

    /// <summary>A response brought a token of this length back.</summary>
    public void Confirm(in PeerIdentity peer, int length, long now)
    {
        var known = For(peer, now);
        var isLonger = length >= known.Supported || now >= known.SupportedUntil;
        known = known with { SupportedUntil = isLonger ? now + Lifetime : known.SupportedUntil, Supported = isLonger ? length : known.Supported };
        _peers[peer] = known.Refused <= length ? known with { RefusedUntil = 0 } : known;
    }

    /// <summary>The peer rejected a token of this length, or did not answer.</summary>
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
