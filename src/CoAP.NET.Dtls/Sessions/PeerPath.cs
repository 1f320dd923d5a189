namespace CoAP.Dtls;

/// <summary>
/// The address of a peer that may move (RFC 9146, section 6). A new address gets at most three times the bytes that came from it, until the peer has proven that
/// it receives there. Until then, the old address gets the same records, because somebody may have forwarded a record of a peer that has not moved.
/// </summary>
/// <remarks>A mutable structure. A field of this type must not be readonly.</remarks>
/// <param name="proven">The address at which the handshake took place.</param>
internal struct PeerPath(in ChannelKey proven)
{
    private const int Factor = 3;

    private bool _isTaken;

    /// <summary>The last address at which the peer has proven that it receives.</summary>
    public ChannelKey Proven { get; private set; } = proven;

    /// <summary>The new address of a peer that has moved; <see langword="null"/> if there is none, or the peer has proven it.</summary>
    public PathAttempt? Attempt { get; private set; }

    /// <summary>Called with the sender of each record that is newer than all before it.</summary>
    public void Hear(in ChannelKey sender, int bytes, TimeSpan now, HeldRecordBudget budget)
    {
        if (sender.Peer == Proven.Peer)
        {
            GiveUp();
            Proven = sender;
            _isTaken = false;
            return;
        }
        if (Attempt?.Address.Peer != sender.Peer)
        {
            GiveUp();
            Attempt = new PathAttempt(sender, budget);
        }
        Attempt!.Allowance += (long)Factor * bytes;
        Attempt.HeardAt = now;
    }

    /// <summary>
    /// Records that the address belongs to a later session of another peer, for example because a NAT has given it away. Nothing is sent
    /// there until the peer is heard again.
    /// </summary>
    public void LoseAddress() => _isTaken = true;

    /// <summary>Gets the address to send to. Returns <see langword="false"/> if another peer has it: nothing may be sent there.</summary>
    public readonly bool TryGetReceiver(out ChannelKey address)
    {
        address = Proven;
        return !_isTaken;
    }

    /// <summary>Forgets a new address that the peer has not proven, and the records for it.</summary>
    public void GiveUp()
    {
        Attempt?.DropHeld();
        Attempt = null;
    }

    /// <summary>Records that the peer has proven its new address. Returns the records that are to be sent there now.</summary>
    public byte[][] Prove()
    {
        if (Attempt is not { } attempt) { return []; }
        byte[][] held = [.. attempt.Held];
        GiveUp();
        (Proven, _isTaken) = (attempt.Address, false);
        return held;
    }

    /// <summary>
    /// Takes the bytes of a record from the allowance of a new address, which gets it as well. Returns <see langword="false"/> if there is no new address, or
    /// too little is left: then the address gets the record when the peer has proven it.
    /// </summary>
    public readonly bool TryAdd(ReadOnlySpan<byte> record, out ChannelKey address)
    {
        if (TryTakeNew(record.Length, out address)) { return true; }
        Attempt?.Hold(record);
        return false;
    }

    /// <summary>Takes the bytes of a datagram that must be sent from the allowance of a new address.</summary>
    public readonly void Spend(in ChannelKey address, int bytes)
    {
        if (Attempt is { } attempt && attempt.Address.Peer == address.Peer) { attempt.Allowance -= bytes; }
    }

    /// <summary>Takes the bytes of a datagram from the allowance of a new address. Returns <see langword="false"/> if there is none, or too little is left.</summary>
    public readonly bool TryTakeNew(int bytes, out ChannelKey address)
    {
        address = default;
        if (Attempt is not { } attempt || attempt.Allowance < bytes) { return false; }
        attempt.Allowance -= bytes;
        address = attempt.Address;
        return true;
    }
}
