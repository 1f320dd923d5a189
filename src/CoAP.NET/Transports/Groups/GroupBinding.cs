using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens the sockets that receive what is sent to groups; nothing is ever sent from them.</summary>
/// <param name="settings">The sizes of buffers.</param>
/// <param name="isNative">Whether the kernel tells the local address of each datagram.</param>
/// <param name="report">Is told on how many interfaces a group was joined.</param>
internal sealed class GroupBinding(UdpSettings settings, bool isNative, Action<IPEndPoint, int>? report)
{
    /// <summary>Joins the groups of those address families that the first lane has a socket for: nobody could be answered from another.</summary>
    public Socket[] Join(IReadOnlyList<GroupPlace> groups, Socket[][] lanes)
    {
        // A wildcard holds its port for all addresses; from now on groups may have it as well.
        if (OperatingSystem.IsLinux()) { Array.ForEach(lanes.SelectMany(lane => lane).ToArray(), UdpBinding.SharePort); }
        var port = ((IPEndPoint)lanes[0][0].LocalEndPoint!).Port;
        var joined = new List<Socket>();
        try
        {
            foreach (var group in groups.Where(group => lanes[0].Any(socket => Serves(socket, group.Group.AddressFamily))))
            {
                var endPoint = new IPEndPoint(group.Group.Address, group.Group.Port == 0 ? port : group.Group.Port);
                joined.AddRange(Join(group with { Group = endPoint }));
            }
            return [.. joined];
        }
        catch
        {
            joined.ForEach(socket => socket.Dispose());
            throw;
        }
    }

    private static bool Serves(Socket socket, AddressFamily family) =>
        socket.AddressFamily == family || (socket.AddressFamily == AddressFamily.InterNetworkV6 && socket.DualMode);

    private List<Socket> Join(GroupPlace place)
    {
        var joined = new List<Socket>();
        var count = 0;
        foreach (var interfaces in Shares(place))
        {
            if (TryJoin(place, interfaces, ref count) is { } socket) { joined.Add(socket); }
        }
        report?.Invoke(place.Group, count);
        return joined;
    }

    // A socket bound to a link-local group is bound to its interface as well, so that each needs one of its own.
    private static IEnumerable<IReadOnlyList<int>> Shares(GroupPlace place) => place.Group.Address.IsIPv6LinkLocalMulticast()
        ? place.Interfaces.Select(index => new[] { index })
        : place.Interfaces.Count == 0 ? [] : [place.Interfaces];

    private Socket? TryJoin(GroupPlace place, IReadOnlyList<int> interfaces, ref int count)
    {
        var socket = new Socket(place.Group.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            UdpBinding.Grant(settings.ReceiveBufferSize, size => socket.ReceiveBufferSize = size);
            Bind(socket, place.Group, interfaces[0]);
            var members = interfaces.Count(index => IsMember(socket, place, index));
            count += members;
            if (members > 0) { return socket; }
        }
        catch (SocketException) when (!place.IsStrict)
        {
            // The interface is there but cannot have the group, as one without an address of the family.
        }
        catch
        {
            socket.Dispose();
            throw;
        }
        socket.Dispose();
        return null;
    }

    private void Bind(Socket socket, IPEndPoint group, int interfaceIndex)
    {
        if (OperatingSystem.IsLinux()) { UdpBinding.SetGroupOptions(socket); }
        else { socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true); }
        if (!isNative)
        {
            var level = group.AddressFamily == AddressFamily.InterNetwork ? SocketOptionLevel.IP : SocketOptionLevel.IPv6;
            socket.SetSocketOption(level, SocketOptionName.PacketInformation, true);
        }
        if (OperatingSystem.IsWindows())
        {
            // Windows binds to addresses of its own only; what was sent elsewhere than to a group is dropped on receipt.
            socket.Bind(new IPEndPoint(group.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, group.Port));
            return;
        }
        var address = group.Address.IsIPv6LinkLocalMulticast() ? new IPAddress(group.Address.GetAddressBytes(), interfaceIndex) : group.Address;
        socket.Bind(new IPEndPoint(address, group.Port));
    }

    private static bool IsMember(Socket socket, GroupPlace place, int index)
    {
        try
        {
            if (place.Group.AddressFamily == AddressFamily.InterNetwork)
            {
                socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(place.Group.Address, index));
            }
            else
            {
                var address = new IPAddress(place.Group.Address.GetAddressBytes());
                socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.AddMembership, new IPv6MulticastOption(address, index));
            }
            return true;
        }
        catch (SocketException) when (!place.IsStrict)
        {
            return false;
        }
    }
}
