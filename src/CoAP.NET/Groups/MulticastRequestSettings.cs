using System.Net.Sockets;

namespace CoAP;

/// <summary>How a request is sent to a group, and how long answers are waited for (RFC 7252, section 8.2).</summary>
/// <remarks>Immutable.</remarks>
public sealed record MulticastRequestSettings
{
    /// <summary>How long answers are waited for: 10 s by default, which is DEFAULT_LEISURE and 5 s for both ways and the handlers.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than a day.</exception>
    public TimeSpan ListenFor { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)); } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long the token and the message ID stay reserved after the request, so that late answers are recognized and dropped. 500 s by default: NON_LIFETIME,
    /// MAX_LATENCY and MAX_SERVER_RESPONSE_DELAY (RFC 7390, section 2.5). There are 1,024 message IDs for multicast.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than a day.</exception>
    public TimeSpan TokenLifetime { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)); } = TimeSpan.FromSeconds(500);

    /// <summary>
    /// The interfaces that the request leaves by, the system's choice by default. A zone in the URI, such as in "coap://[ff02::fd%25eth0]", goes before it.
    /// </summary>
    public MulticastInterfaces Interfaces { get; init; } = MulticastInterfaces.SystemChoice;

    /// <summary>The hop limit of IPv6, the time to live of IPv4; 1 by default, which no router passes on. From 0 (this machine) to 255.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 255.</exception>
    public int HopLimit { get; init => field = Bound.Within(value, 0, 255); } = 1;

    /// <summary>Whether members on this machine get the request too; so by default.</summary>
    public bool LoopsBack { get; init; } = true;

    /// <summary>The answers that may wait for a reader that is slow; 1,024 by default. Later ones are dropped and counted.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxQueuedAnswers { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>The indexes of the interfaces that a request to the group leaves by.</summary>
    internal int[] InterfacesFor(in PeerIdentity group)
    {
        if (group.ScopeId != 0) { return [(int)group.ScopeId]; }
        return group.IsIP ? Interfaces.Resolve(group.IsIPv4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6, []) : [0];
    }
}
