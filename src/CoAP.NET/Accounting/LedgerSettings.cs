using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The settings for sharing the limits of an endpoint among its peers.</summary>
/// <remarks>
/// Immutable. Accounts share most limits on what peers can make the endpoint store and do. An <see cref="Account"/> holds at most as much as is still
/// free. One peer therefore gets at most half of a limit, and there is always room for the next one.
/// </remarks>
public sealed record LedgerSettings
{
    /// <summary>
    /// A function that returns the account of a peer with a verified address. If it returns <see langword="null"/>, the account is the identity that
    /// the transport has authenticated, or the address if there is none. It is called often and from several threads at the same time, so it must be fast and
    /// safe for concurrent use. When a connection is accepted, it is called without credentials. If it throws, or returns
    /// <see cref="Account.Unverified"/>, the peer has the default account. Default: <see langword="null"/>, no function.
    /// </summary>
    /// <remarks>
    /// Use it if many devices share one address, for example behind a NAT or a load balancer, or if one owner has many addresses. The function is not
    /// called for unverified addresses. Their account is <see cref="Account.Unverified"/>.
    /// </remarks>
    public Func<PeerIdentity, PeerCredentials?, Account?>? AccountOf { get; init; }

    /// <summary>
    /// The fraction of each limit that all unverified addresses together may hold (RFC 9175, section 2.4), from 0 to 0.5. Default: 0.125. With 0, every
    /// peer over UDP must prove its address before one of its requests may wait for a handler.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0, more than 0.5, or not a number.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public double UnverifiedShare { get; init => field = Bound.Within(value, 0, 0.5); } = 0.125;

    /// <summary>
    /// The longest time that a request of an unverified address waits for a handler thread while other requests of such addresses wait or
    /// run. A request that has waited longer gets 4.01 with Echo, so that its peer proves its address. So do further requests until the
    /// first one in the queue has waited less. Default: 250 ms. A long time, such as one day, switches this off.
    /// </summary>
    /// <remarks>A peer that has proven its address has its own account and its own turns.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxUnverifiedDelay { get; init => field = Bound.Positive(value); } = TimeSpan.FromMilliseconds(250);
}
