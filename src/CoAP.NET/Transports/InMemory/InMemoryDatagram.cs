namespace CoAP;

/// <summary>A datagram on its way through an <see cref="InMemoryNetwork"/>.</summary>
/// <param name="From">Who sent it.</param>
/// <param name="To">Whom it is for.</param>
/// <param name="Bytes">Its bytes; they may be kept.</param>
public readonly record struct InMemoryDatagram(PeerIdentity From, PeerIdentity To, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>The group that it was sent to, of which <see cref="To"/> is one member; nobody where it was sent to <see cref="To"/> alone.</summary>
    public PeerIdentity Group { get; init; }
}
