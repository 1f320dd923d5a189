using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP;

/// <summary>Selects the network interfaces on which a server joins groups, or on which a client sends to groups.</summary>
public sealed class MulticastInterfaces
{
    private readonly IReadOnlyList<string>? _names;

    private MulticastInterfaces(IReadOnlyList<string>? names) => _names = names;

    /// <summary>
    /// All interfaces that are up and support multicast. For a server, only those with an address that the server listens on. An interface that
    /// fails is skipped.
    /// </summary>
    public static MulticastInterfaces All { get; } = new((IReadOnlyList<string>?)null);

    /// <summary>The interface that the operating system chooses.</summary>
    public static MulticastInterfaces SystemDefault { get; } = new([]);

    /// <summary>Selects interfaces by name or index. An interface that is missing or fails is an error.</summary>
    /// <param name="names">Names such as "eth0", or indexes such as "2".</param>
    /// <exception cref="ArgumentException">The list is empty, or a name is empty.</exception>
    public static MulticastInterfaces Of(params IReadOnlyList<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Count == 0 || names.Any(string.IsNullOrWhiteSpace))
        {
            throw new ArgumentException("Specify at least one interface by its name or index.", nameof(names));
        }
        return new([.. names]);
    }

    /// <summary>Whether every interface has to work.</summary>
    internal bool IsStrict => _names is not null;

    /// <summary>Returns the names and indexes, such as "eth0, 3".</summary>
    public override string ToString() => _names is null ? "all" : _names.Count == 0 ? "the system's choice" : string.Join(", ", _names);

    /// <summary>Returns the indexes of the interfaces; 0 stands for the system's choice.</summary>
    /// <param name="family">The address family of the group.</param>
    /// <param name="local">The addresses that a server listens on; empty for a client.</param>
    /// <exception cref="ArgumentException">An interface does not exist or is not up.</exception>
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
        var available = string.Join(", ", present.Select(one => one.Card.Name));
        throw new ArgumentException($"The network interface '{name}' does not exist or is not up. Available interfaces: {available}.");
    }
}
