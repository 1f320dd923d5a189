namespace CoAP;

/// <summary>How many WebSockets a server takes from a web host. They are counted apart from the connections that it accepts itself.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record WebSocketServerSettings
{
    /// <summary>The WebSockets that may be open at the same time. 10,000 by default; one more is closed with status 1008 (RFC 6455, section 7.4).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnections { get; init => field = Bound.AtLeast(value, 1); } = 10_000;

    /// <summary>The WebSockets of one address, or of one /64 of IPv6. 1,000 by default; one more is closed with status 1008.</summary>
    /// <remarks>Behind a proxy all clients have its address, unless the host is told to take theirs from the forwarded headers.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnectionsPerAddress { get; init => field = Bound.AtLeast(value, 1); } = 1_000;
}
