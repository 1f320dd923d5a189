using System.Net;

namespace CoAP.Exchanges;

/// <summary>One address of a server.</summary>
/// <param name="Peer">The identity of the server at this address.</param>
/// <param name="Address">The address from which the options of requests are derived.</param>
internal readonly record struct Place(PeerIdentity Peer, IPEndPoint Address);

/// <summary>The addresses of a server, at least one, in the order in which they are tried.</summary>
internal readonly struct ServerAddresses
{
    private readonly object? _hosts;     // addresses or a name, in one field to save memory while a call waits
    private readonly int _port;

    /// <summary>Creates the addresses of a host.</summary>
    public ServerAddresses(IPAddress[] addresses, int port) => (_hosts, _port) = (addresses, port);

    /// <summary>Creates an endpoint on an in-memory network, which has a name instead of an address. Its port has no meaning.</summary>
    public ServerAddresses(string name, int port) => (_hosts, _port) = (name, port);

    public bool IsEmpty => _hosts is null;

    public int Count => _hosts is IPAddress[] addresses ? addresses.Length : 1;

    /// <summary>Whether this is an endpoint on an in-memory network.</summary>
    public bool IsInMemory => _hosts is string;

    public Place this[int index]
    {
        get
        {
            if (_hosts is string name) { return new(PeerIdentity.From(name), new IPEndPoint(IPAddress.None, _port)); }
            var address = new IPEndPoint(((IPAddress[])_hosts!)[index], _port);
            return new(PeerIdentity.From(address), address);
        }
    }
}
