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

    /// <summary>The last address at which the peer has proven that it receives.</summary>
    public ChannelKey Proven { get; private set; } = proven;

    /// <summary>The new address of a peer that has moved; <see langword="null"/> if there is none, or the peer has proven it.</summary>
    public PathAttempt? Attempt { get; private set; }

    /// <summary>Called with the sender of each record that is newer than all before it. Returns whether the peer has moved to another address.</summary>
    public bool Hear(in ChannelKey sender, int bytes)
    {
        if (sender.Peer == Proven.Peer)
        {
            Attempt = null;
            Proven = sender;
            return false;
        }
        var hasMoved = Attempt?.Address.Peer != sender.Peer;
        if (hasMoved) { Attempt = new PathAttempt(sender); }
        Attempt!.Allowance += (long)Factor * bytes;
        return hasMoved;
    }

    /// <summary>Records that the peer has proven its new address.</summary>
    public void Prove()
    {
        if (Attempt is { } attempt) { (Proven, Attempt) = (attempt.Address, null); }
    }

    /// <summary>Returns the address for a datagram, and takes its bytes from the allowance of a new address. Without allowance, it is the old address.</summary>
    public ChannelKey Take(int bytes) => TryTakeNew(bytes, out var address) ? address : Proven;

    /// <summary>Takes the bytes of a datagram from the allowance of a new address. Returns <see langword="false"/> if there is none, or too little is left.</summary>
    public bool TryTakeNew(int bytes, out ChannelKey address)
    {
        address = default;
        if (Attempt is not { } attempt || attempt.Allowance < bytes) { return false; }
        attempt.Allowance -= bytes;
        address = attempt.Address;
        return true;
    }
}
