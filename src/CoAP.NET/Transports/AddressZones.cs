using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>
/// Checks the zones of addresses. A link-local address can exist on every link, so only a network interface makes it unique
/// (RFC 4007, section 6).
/// </summary>
internal static class AddressZones
{
    private const char NoZone = '0';      // the zone 0 is the system's choice (RFC 4007, section 11.2)

    /// <summary>Whether this is the link-local address of a host, and it does not say on which link.</summary>
    public static bool LacksZone(this IPAddress address) => address.IsIPv6LinkLocal && !IsScoped(address);

    /// <summary>Returns an address that a peer has named. If it is link-local, it is on the link to this peer.</summary>
    public static IPAddress OnLinkOf(this IPAddress address, in PeerIdentity peer) =>
        address.LacksZone() && peer.ScopeId != 0 ? new IPAddress(address.GetAddressBytes(), peer.ScopeId) : address;

    /// <summary>Whether the address has no zone and needs none.</summary>
    public static bool IsUnscoped(IPAddress address, string? zone) => zone is null && !IsScoped(address) && !address.LacksZone();

    /// <summary>Returns what is wrong with an address and its zone, or <see langword="null"/>.</summary>
    /// <param name="address">The address, with the scope that the zone stands for; 0 if it stands for none.</param>
    /// <param name="zone">The zone as it was written; <see langword="null"/> if there is none.</param>
    /// <remarks>The link-local address of a group needs no zone: the interfaces that send to a group are a setting.</remarks>
    public static ZoneProblem? Find(IPAddress address, string? zone)
    {
        if (!zone.AsSpan().ContainsAnyExcept(NoZone)) { return address.LacksZone() ? Missing(address) : null; }
        if (!IsLinkLocal(address)) { return Meaningless(address, zone!); }
        return IsScoped(address) ? null : Unknown(zone!);
    }

    /// <summary>As <see cref="Find"/>. Also asks the system whether the scope of the address, if it has one, is an interface.</summary>
    /// <param name="address">The address, with the scope that the zone stands for; 0 if it stands for none.</param>
    /// <param name="zone">The zone as it was written; <see langword="null"/> if there is none.</param>
    public static ZoneProblem? FindOnMachine(IPAddress address, string? zone)
    {
        if (Find(address, zone) is { } problem) { return problem; }
        return IsScoped(address) && !IsInterface(address.ScopeId) ? Unknown($"{address.ScopeId}") : null;
    }

    /// <summary>Whether the address has the zone of an interface.</summary>
    public static bool IsScoped(IPAddress address) => address is { AddressFamily: AddressFamily.InterNetworkV6, ScopeId: not 0 };

    private static ZoneProblem Missing(IPAddress address) => new(ZoneProblemKind.Missing,
        $"{address} is a link-local address without a zone; write the network interface behind it, as in [{address}%25eth0]");

    private static ZoneProblem Meaningless(IPAddress address, string zone) => new(ZoneProblemKind.Meaningless,
        $"zone '{zone}' has no meaning, because {WithoutScope(address)} is not a link-local address; leave the zone out");

    private static ZoneProblem Unknown(string zone) => new(ZoneProblemKind.Unknown,
        $"zone '{zone}' is not a network interface of the machine; write the name or the number of one, "
        + "as in [fe80::1%25eth0] or [fe80::1%252]");

    // Whether the address means another host or group on each link.
    private static bool IsLinkLocal(IPAddress address) => address.IsIPv6LinkLocal || address.IsIPv6LinkLocalMulticast();

    private static IPAddress WithoutScope(IPAddress address) => IsScoped(address) ? new IPAddress(address.GetAddressBytes()) : address;

    private static bool IsInterface(long index)
    {
        try { return NetworkCards.AllWithIndex().Any(one => one.Index == index); }
        catch (NetworkInformationException)
        {
            return true; // the interfaces cannot be listed here; the system refuses a wrong one when it sends
        }
    }
}
