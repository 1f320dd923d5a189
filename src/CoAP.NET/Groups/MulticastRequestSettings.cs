using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;

namespace CoAP;

/// <summary>How a request is sent to a group, and how long the client waits for responses (RFC 7252, section 8.2).</summary>
/// <remarks>Immutable.</remarks>
public sealed record MulticastRequestSettings
{
    /// <summary>The time to wait for responses. Default: 10 s, which is DEFAULT_LEISURE and 5 s for the network and the handlers.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than a day.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan ListenFor { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)); } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The time for which the token and the message ID stay reserved, so that late responses are recognized and dropped. There are 1,024 message
    /// IDs for multicast. Default: 500 s, the sum of NON_LIFETIME, MAX_LATENCY and MAX_SERVER_RESPONSE_DELAY (RFC 10020, section 3.1.5).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than a day.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan TokenLifetime { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)); } = TimeSpan.FromSeconds(500);

    /// <summary>
    /// The interfaces that send the request. A zone in the URI, such as in "coap://[ff02::fd%25eth0]", overrides them. Default:
    /// <see cref="MulticastInterfaces.SystemDefault"/>.
    /// </summary>
    public MulticastInterfaces Interfaces { get; init => field = Bound.NotNull(value); } = MulticastInterfaces.SystemDefault;

    /// <summary>The hop limit of IPv6 and time to live of IPv4, from 0 (this machine) to 255. Default: 1, which no router forwards.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 255.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int HopLimit { get; init => field = Bound.Within(value, 0, 255); } = 1;

    /// <summary>Whether members on this machine also get the request. Default: <see langword="true"/>.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool AllowsLoopback { get; init; } = true;

    /// <summary>
    /// The number of responses that may wait for a slow reader. One more ends the answers with an error. When half of them wait, only members
    /// that have not answered before get a place. Default: 1,024.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxQueuedAnswers { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>Returns the indexes of the interfaces that send a request to a group.</summary>
    internal int[] InterfacesFor(in PeerIdentity group)
    {
        if (group.ScopeId != 0) { return [(int)group.ScopeId]; }
        return group.IsIP ? Interfaces.Resolve(group.IsIPv4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6, []) : [0];
    }
}
