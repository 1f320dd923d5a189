namespace CoAP;

/// <summary>How the limits of an endpoint are shared by its peers.</summary>
/// <remarks>
/// Immutable. Every limit on what peers can make the endpoint store and do is shared by accounts: an <see cref="Account"/> holds at most as much as is
/// still free. So one peer gets at most half of a limit, and there is always room for the next one.
/// </remarks>
public sealed record LedgerSettings
{
    /// <summary>
    /// Names the account of a peer with a proven address. Return <see langword="null"/> for the default: the identity that the transport has
    /// authenticated, or else the address. Called often, on the threads of the lanes: it must be fast and must not throw.
    /// </summary>
    /// <remarks>
    /// Use it if many devices share one address (a translator, a load balancer), or if one owner has many. Addresses that may be forged are not passed
    /// to it. Their account is <see cref="Account.Unverified"/>.
    /// </remarks>
    public Func<PeerIdentity, PeerCredentials?, Account?>? AccountOf { get; init; }

    /// <summary>
    /// The part of each limit that all addresses together may hold that are not verified (RFC 9175, section 2.4), from 0 to 0.5. Default: 0.125. At 0,
    /// every peer over UDP has to prove its address before a request of it may wait for a handler.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0, more than 0.5, or not a number.</exception>
    public double UnverifiedShare { get; init => field = Bound.Within(value, 0, 0.5); } = 0.125;
}
