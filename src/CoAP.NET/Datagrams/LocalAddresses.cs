using System.Net;

namespace CoAP.Datagrams;

/// <summary>The local addresses of a lane or a port, by the address family of the peers that they can reach.</summary>
/// <param name="bound">The addresses and ports that sockets are bound to.</param>
internal sealed class LocalAddresses(IReadOnlyList<IPEndPoint> bound)
{
    private readonly PeerIdentity[] _toIPv4 = LocalsTo(bound, isIPv4: true);
    private readonly PeerIdentity[] _toIPv6 = LocalsTo(bound, isIPv4: false);

    /// <summary>
    /// Returns the address from which datagrams to a peer are sent. Its port selects the socket; the system may choose the address.
    /// </summary>
    /// <param name="peer">The receiver.</param>
    /// <param name="turn">Spreads datagrams over the addresses that can reach the peer.</param>
    public PeerIdentity For(in PeerIdentity peer, uint turn = 0)
    {
        var locals = peer.IsIPv4 ? _toIPv4 : _toIPv6;
        return locals.Length == 0 ? default : locals[turn % (uint)locals.Length];
    }

    private static PeerIdentity[] LocalsTo(IReadOnlyList<IPEndPoint> bound, bool isIPv4) =>
        [.. bound.Select(endPoint => LocalOf(endPoint, isIPv4)).OfType<PeerIdentity>()];

    private static PeerIdentity? LocalOf(IPEndPoint endPoint, bool isIPv4)
    {
        var local = PeerIdentity.From(endPoint);
        var isWildcard = endPoint.Address.Equals(IPAddress.Any) || endPoint.Address.Equals(IPAddress.IPv6Any);
        if (!isWildcard) { return local.IsIPv4 == isIPv4 ? local : null; }
        return !local.IsIPv4 || isIPv4 ? PeerIdentity.FromIPv4(0, (ushort)endPoint.Port) : null;
    }
}
