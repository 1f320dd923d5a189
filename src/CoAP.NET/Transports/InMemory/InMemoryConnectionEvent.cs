namespace CoAP;

/// <summary>An event of a connection on an <see cref="InMemoryNetwork"/>.</summary>
/// <param name="Connection">The number of the connection. The connections of a network are numbered from 1 in the order in which they open.</param>
/// <param name="Kind">What has happened.</param>
/// <param name="From">The sender.</param>
/// <param name="To">The receiver.</param>
/// <param name="Bytes">The sent bytes: any part of the stream. Empty for other events. They never change.</param>
public readonly record struct InMemoryConnectionEvent(
    int Connection, InMemoryConnectionEventKind Kind, PeerIdentity From, PeerIdentity To, ReadOnlyMemory<byte> Bytes);
