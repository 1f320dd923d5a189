namespace CoAP;

/// <summary>The state of a server at one moment; see <see cref="CoapServer.GetStateAsync"/>.</summary>
/// <remarks>Immutable.</remarks>
public sealed record CoapServerState
{
    /// <summary>Whether the server has started and is not stopping.</summary>
    public required bool IsRunning { get; init; }

    /// <summary>The internal error that ended the server; <see langword="null"/> if there is none.</summary>
    public Exception? Failure { get; init; }

    /// <summary>The addresses that the server is bound to. Empty if it is not running.</summary>
    public IReadOnlyList<ServerEndpoint> Endpoints { get; init; } = [];

    /// <summary>The lanes that serve many peers. A connection that has a lane of its own is not among them.</summary>
    public IReadOnlyList<LaneState> Lanes { get; init; } = [];

    /// <summary>The number of open connections.</summary>
    public int OpenConnections { get; init; }

    /// <summary>The requests without an answer, and <see cref="CoapEndpointSettings.MaxPendingRequests"/>.</summary>
    public LimitUsage PendingRequests { get; init; }

    /// <summary>The requests that buffered handlers process or that wait for a thread, and <see cref="CoapEndpointSettings.MaxHandlerQueue"/>.</summary>
    public LimitUsage HandlerQueue { get; init; }

    /// <summary>When the certificate expires that a TLS client without a host name gets; <see langword="null"/> if there is none.</summary>
    public DateTimeOffset? CertificateExpires { get; init; }

    /// <summary>When the certificate expires that a DTLS client without a host name gets; <see langword="null"/> if there is none.</summary>
    public DateTimeOffset? DtlsCertificateExpires { get; init; }
}
