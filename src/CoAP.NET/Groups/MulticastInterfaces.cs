using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP;

/// <summary>The network interfaces on which groups are joined or reached.</summary>
public sealed class MulticastInterfaces
{
    private readonly IReadOnlyList<string>? _names;

    private MulticastInterfaces(IReadOnlyList<string>? names) => _names = names;

    /// <summary>
    /// All that are up and take part in multicast; for a server those that have an address which it listens on. One that refuses is left out.
    /// </summary>
    public static MulticastInterfaces All { get; } = new((IReadOnlyList<string>?)null);

    /// <summary>The one that the system would choose.</summary>
    public static MulticastInterfaces SystemChoice { get; } = new([]);

    /// <summary>These; one that is missing or refuses is an error.</summary>
    /// <param name="names">Names such as "eth0", or indexes such as "2".</param>
    /// <exception cref="ArgumentException">There is no name, or an empty one.</exception>
    public static MulticastInterfaces Of(params IReadOnlyList<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Count == 0 || names.Any(string.IsNullOrWhiteSpace)) { throw new ArgumentException("An interface has a name or an index.", nameof(names)); }
        return new([.. names]);
    }

    /// <summary>Whether each of them has to do.</summary>
    internal bool IsStrict => _names is not null;

    /// <summary>Such as "eth0, 3".</summary>
    public override string ToString() => _names is null ? "all" : _names.Count == 0 ? "the system's choice" : string.Join(", ", _names);

    /// <summary>Their indexes; 0 for the system's choice.</summary>
    /// <param name="family">Of the group.</param>
    /// <param name="local">The addresses that a server listens on; empty for a client.</param>
    /// <exception cref="ArgumentException">There is no such interface.</exception>
    internal int[] Resolve(AddressFamily family, IReadOnlyList<IPAddress> local)
    {
        if (_names is { Count: 0 }) { return [0]; }
        var present = NetworkCards.ActiveWithIndex().ToArray();
        if (_names is not null) { return [.. _names.Select(name => IndexOf(name, present))]; }
        var isAny = local.Count == 0 || local.Any(address => IsWildcardFor(address, family));
        return [.. present.Where(one => isAny ? one.Card.SupportsMulticast && HasFamily(one.Card, family) : NetworkCards.AddressesOf(one.Card).Any(local.Contains))
            .Select(one => one.Index)];
    }

    private static bool IsWildcardFor(IPAddress address, AddressFamily family) =>
        address.Equals(IPAddress.IPv6Any) || (address.Equals(IPAddress.Any) && family == AddressFamily.InterNetwork);

    private static bool HasFamily(NetworkInterface card, AddressFamily family) =>
        card.NetworkInterfaceType != NetworkInterfaceType.Loopback && NetworkCards.AddressesOf(card).Any(address => address.AddressFamily == family);

    private static int IndexOf(string name, (NetworkInterface Card, int Index)[] present)
    {
        var isNumber = int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var number);
        foreach (var (card, index) in present)
        {
            if (card.Name == name || (isNumber && index == number)) { return index; }
        }
        throw new ArgumentException($"There is no network interface '{name}' that is up; there are {string.Join(", ", present.Select(one => one.Card.Name))}.");
    }
}
