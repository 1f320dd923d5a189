using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>Limits on the WebSockets that a server takes from a web host. The connections that the server accepts itself are counted separately.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
[Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
public sealed record WebSocketServerSettings
{
    /// <summary>The subprotocol that the host and the client must agree on in the opening handshake (RFC 8323, section 4.1).</summary>
    public const string Subprotocol = "coap";

    /// <summary>The path that clients use (RFC 8323, section 8.3).</summary>
    public const string Path = "/.well-known/coap";

    /// <summary>The largest number of open WebSockets. Default: 10,000. A further one is closed with status 1008 (RFC 6455, section 7.4). One account
    /// holds at most as many as are still free (<see cref="Account"/>).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnections { get; init => field = Bound.AtLeast(value, 1); } = 10_000;
}
