using CoAP.Observing;

namespace CoAP;

/// <summary>An observation of a server's resource in an <see cref="IObserverStore"/>: the client and its request.</summary>
public sealed record StoredObserver
{
    /// <summary>The client.</summary>
    public required PeerIdentity Peer { get; init; }

    /// <summary>The local address that received the request.</summary>
    public required PeerIdentity Local { get; init; }

    /// <summary>The token of the notifications.</summary>
    public required Token Token { get; init; }

    /// <summary>The registration request in the format of a datagram (RFC 7252, section 3).</summary>
    public required ReadOnlyMemory<byte> Request { get; init; }

    /// <summary>The upper limit of the sequence numbers of notifications. The server stores a higher limit before a notification exceeds it.</summary>
    public required long SequenceLimit { get; init; }

    /// <summary>
    /// The Content-Format of the representations that the client has got, or -1 if they had none. Notifications must have the same
    /// (RFC 7641, section 4.2). <see langword="null"/> if it is not known; then the first notification determines it.
    /// </summary>
    public int? ContentFormat { get; init; }

    /// <summary>The network interface of an address that this machine does not have; <see langword="null"/> in all other cases.</summary>
    internal string? LostZone { get; init; }

    internal ObserverKey Key => new(Peer, Local, Token);
}
