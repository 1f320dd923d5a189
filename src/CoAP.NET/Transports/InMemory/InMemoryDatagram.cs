namespace CoAP;

/// <summary>A datagram on its way through an <see cref="InMemoryNetwork"/>.</summary>
/// <param name="From">Who sent it.</param>
/// <param name="To">Whom it is for.</param>
/// <param name="Bytes">Its bytes; they may be kept.</param>
public readonly record struct InMemoryDatagram(PeerIdentity From, PeerIdentity To, ReadOnlyMemory<byte> Bytes);
