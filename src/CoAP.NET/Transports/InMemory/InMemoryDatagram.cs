namespace CoAP;

/// <summary>A datagram on its way through an <see cref="InMemoryNetwork"/>.</summary>
/// <param name="From">The sender.</param>
/// <param name="To">The receiver.</param>
/// <param name="Bytes">The bytes. They never change.</param>
public readonly record struct InMemoryDatagram(PeerIdentity From, PeerIdentity To, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>The multicast group that the datagram was sent to; <see cref="To"/> is one member. None if it was sent to <see cref="To"/> alone.</summary>
    public PeerIdentity Group { get; init; }
}
