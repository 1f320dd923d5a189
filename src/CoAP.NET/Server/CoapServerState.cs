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
    public LimitState PendingRequests { get; init; }

    /// <summary>The requests that buffered handlers process or that wait for a thread, and <see cref="CoapEndpointSettings.MaxHandlerQueue"/>.</summary>
    public LimitState HandlerQueue { get; init; }

    /// <summary>The end of the validity of the certificate that a TLS client without a host name gets; <see langword="null"/> if there is none.</summary>
    public DateTimeOffset? CertificateExpires { get; init; }
}

/// <summary>The state of a lane.</summary>
/// <param name="Number">The number of the lane, from 0: first those of datagrams, then those of connections.</param>
/// <param name="IsReliable">Whether the lane serves connections; otherwise it serves datagrams.</param>
/// <param name="ProbeTime">The time until the lane answered the probe; <see langword="null"/> if it did not answer in time.</param>
public sealed record LaneState(int Number, bool IsReliable, TimeSpan? ProbeTime)
{
    /// <summary>Whether the lane answered in time.</summary>
    public bool IsAlive => ProbeTime is not null;

    /// <summary>Returns the number of the lane and what it serves.</summary>
    public override string ToString() => $"lane {Number} ({(IsReliable ? "connections" : "datagrams")})";
}

/// <summary>How much of a limit is in use.</summary>
/// <param name="Used">The amount in use.</param>
/// <param name="Limit">The limit.</param>
public readonly record struct LimitState(long Used, long Limit)
{
    /// <summary>The part of the limit that is in use: 0 to 1.</summary>
    public double Fraction => Limit == 0 ? 0 : (double)Used / Limit;
}
