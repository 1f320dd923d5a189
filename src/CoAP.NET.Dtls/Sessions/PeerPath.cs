namespace CoAP.Dtls;

/// <summary>
/// The address of a peer that may move (RFC 9146, section 6). A new address gets at most three times the bytes that came from it, until the peer has proven that
/// it receives there.
/// </summary>
/// <remarks>A mutable structure. A field of this type must not be readonly.</remarks>
/// <param name="proven">The address at which the handshake took place.</param>
internal struct PeerPath(in ChannelKey proven)
{
    private const int Factor = 3;

    private ChannelKey? _tried;
    private long _allowance;

    /// <summary>The last address at which the peer has proven that it receives.</summary>
    public ChannelKey Proven { get; private set; } = proven;

    /// <summary>Whether the peer has moved and has not proven its new address.</summary>
    public readonly bool IsTrying => _tried is not null;

    /// <summary>Called with the sender of each record that is newer than all before it. Returns whether the peer has moved to another address.</summary>
    public bool Hear(in ChannelKey sender, int bytes)
    {
        if (sender.Peer == Proven.Peer)
        {
            (_tried, _allowance) = (null, 0);
            Proven = sender;
            return false;
        }
        var hasMoved = _tried?.Peer != sender.Peer;
        (_tried, _allowance) = (sender, (hasMoved ? 0 : _allowance) + ((long)Factor * bytes));
        return hasMoved;
    }

    /// <summary>Records that the peer has proven its new address.</summary>
    public void Prove()
    {
        if (_tried is { } tried) { (Proven, _tried) = (tried, null); }
    }

    /// <summary>Returns the address for a datagram, and takes its bytes from the allowance of a new address. Without allowance, it is the old address.</summary>
    public ChannelKey Take(int bytes)
    {
        if (_tried is not { } tried || _allowance < bytes) { return Proven; }
        _allowance -= bytes;
        return tried;
    }
}
