namespace CoAP;

/// <summary>An open connection, or a session over datagrams, as it was when it was listed.</summary>
/// <remarks>Immutable. A peer that sends plain datagrams has neither, so the server keeps nothing that could be listed.</remarks>
public sealed record ChannelDescription
{
    /// <summary>The identity of the peer. <see cref="CoapServer.OpenChannel"/> returns a channel to it.</summary>
    public required PeerIdentity Peer { get; init; }

    /// <summary>The local address that the peer uses.</summary>
    public required PeerIdentity Local { get; init; }

    /// <summary>The scheme of the transport. A WebSocket over TLS is <see cref="CoapScheme.CoapsWs"/>, also without credentials.</summary>
    public required CoapScheme Scheme { get; init; }

    /// <summary>The name of the peer's credentials (<see cref="PeerCredentials.Identity"/>); <see langword="null"/> if it has none.</summary>
    public string? Identity { get; init; }

    /// <summary>The time since the connection or session began. A session that was restored begins with the server.</summary>
    public required TimeSpan Age { get; init; }

    /// <summary>The time since the last message of the peer.</summary>
    public required TimeSpan SinceLastContact { get; init; }
}
