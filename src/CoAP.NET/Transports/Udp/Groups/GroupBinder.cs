using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens the sockets that receive multicast datagrams. Nothing is sent from them.</summary>
/// <param name="settings">The sizes of the buffers.</param>
/// <param name="isNative">Whether the kernel reports the local address of each datagram.</param>
/// <param name="report">Called with each group and the number of interfaces on which it was joined.</param>
internal sealed class GroupBinder(UdpSettings settings, bool isNative, Action<IPEndPoint, int>? report)
{
    /// <summary>Joins the groups whose address family the first lane has a socket for. Without such a socket nothing could answer.</summary>
    public Socket[] Join(IReadOnlyList<GroupMembership> memberships, Socket[][] lanes)
    {
        // A wildcard socket holds its port for all addresses. From now on the groups may bind it too.
        if (OperatingSystem.IsLinux()) { Array.ForEach(lanes.SelectMany(lane => lane).ToArray(), LinuxSocketOptions.SharePort); }
        var port = ((IPEndPoint)lanes[0][0].LocalEndPoint!).Port;
        var joined = new List<Socket>();
        try
        {
            foreach (var membership in memberships.Where(one => lanes[0].Any(socket => Serves(socket, one.Group.AddressFamily))))
            {
                var group = new IPEndPoint(membership.Group.Address, membership.Group.Port == 0 ? port : membership.Group.Port);
                var count = 0;
                foreach (var interfaces in InterfacesPerSocket(membership))
                {
                    if (TryJoin(membership with { Group = group }, interfaces, ref count) is { } socket) { joined.Add(socket); }
                }
                report?.Invoke(group, count);
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

    // A socket for a link-local group is also bound to its interface, so each interface needs its own socket.
    private static IEnumerable<IReadOnlyList<int>> InterfacesPerSocket(GroupMembership membership) => membership.Group.Address.IsIPv6LinkLocalMulticast()
        ? membership.Interfaces.Select(index => new[] { index })
        : membership.Interfaces.Count == 0 ? [] : [membership.Interfaces];

    private Socket? TryJoin(GroupMembership membership, IReadOnlyList<int> interfaces, ref int count)
    {
        var socket = new Socket(membership.Group.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            UdpBinder.Grant(settings.ReceiveBufferSize, size => socket.ReceiveBufferSize = size);
            Bind(socket, membership.Group, interfaces[0]);
            var members = interfaces.Count(index => IsMember(socket, membership, index));
            count += members;
            if (members > 0) { return socket; }
        }
        catch (SocketException) when (!membership.IsStrict)
        {
            // The interface exists but cannot join, for example because it has no address of the family.
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
        if (OperatingSystem.IsLinux()) { LinuxSocketOptions.PrepareGroup(socket); }
        else { socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true); }
        if (!isNative)
        {
            var level = group.AddressFamily == AddressFamily.InterNetwork ? SocketOptionLevel.IP : SocketOptionLevel.IPv6;
            socket.SetSocketOption(level, SocketOptionName.PacketInformation, true);
        }
        if (OperatingSystem.IsWindows())
        {
            // Windows binds only to its own addresses. The socket drops unicast datagrams when it receives them.
            socket.Bind(new IPEndPoint(group.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, group.Port));
            return;
        }
        var address = group.Address.IsIPv6LinkLocalMulticast() ? new IPAddress(group.Address.GetAddressBytes(), interfaceIndex) : group.Address;
        socket.Bind(new IPEndPoint(address, group.Port));
    }

    private static bool IsMember(Socket socket, GroupMembership membership, int index)
    {
        try
        {
            if (membership.Group.AddressFamily == AddressFamily.InterNetwork)
            {
                socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(membership.Group.Address, index));
            }
            else
            {
                var address = new IPAddress(membership.Group.Address.GetAddressBytes());
                socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.AddMembership, new IPv6MulticastOption(address, index));
            }
            return true;
        }
        catch (SocketException) when (!membership.IsStrict)
        {
            return false;
        }
    }
}
