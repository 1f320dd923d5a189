using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>Opens UDP sockets and binds them, exclusively for the first lane and to the same ports for the others.</summary>
/// <param name="settings">The sizes of buffers.</param>
/// <param name="isNative">
/// Whether the kernel tells the local address and the errors of each datagram; otherwise every address of a wildcard has a socket of its
/// own.
/// </param>
/// <param name="isDualMode">Whether <c>[::]</c> serves IPv4 as well.</param>
internal sealed class UdpBinding(UdpSettings settings, bool isNative, bool isDualMode)
{
    private const int AttemptsAtOnePort = 8;
    private const int SocketLevel = 1, ReuseAddress = 2, ReusePort = 15, TellOverflow = 40;
    private const int UdpLevel = 17, GatherReceived = 104;
    private const int IPLevel = 0, TellPacketInfo = 8, TellErrors = 11, AllMulticast = 49;
    private const int IPv6Level = 41, TellPacketInfoIPv6 = 49, TellErrorsIPv6 = 25, AllMulticastIPv6 = 29;

    /// <summary>For each lane the sockets of all endpoints, in their order.</summary>
    public Socket[][] Bind(IReadOnlyList<IPEndPoint> endPoints, int lanes)
    {
        var servesAll = isDualMode && !endPoints.Any(endPoint => endPoint.Address.Equals(IPAddress.Any));
        IReadOnlyList<IPEndPoint> places = isNative ? endPoints : [.. endPoints.SelectMany(endPoint => Expand(endPoint, servesAll))];
        var bound = new List<Socket[]> { BindFirst(places, servesAll) };
        try
        {
            // Not before the first lane is bound: until then nobody else, not even with the same option, can have the port.
            if (lanes > 1) { Array.ForEach(bound[0], SharePort); }
            var taken = bound[0].Select(socket => (IPEndPoint)socket.LocalEndPoint!).ToArray();
            while (bound.Count < lanes) { bound.Add(BindAll(taken, isOnePort: false, servesAll, isShared: true)); }
            return [.. bound];
        }
        catch
        {
            bound.ForEach(Close);
            throw;
        }
    }

    private Socket[] BindFirst(IReadOnlyList<IPEndPoint> endPoints, bool servesAll)
    {
        var isChoosing = endPoints.Count(endPoint => endPoint.Port == 0) > 1;
        for (var attempt = 0; isChoosing && attempt < AttemptsAtOnePort; attempt++)
        {
            try
            {
                return BindAll(endPoints, isOnePort: true, servesAll, isShared: false);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AddressAlreadyInUse)
            {
                // The port that was free on the first address is taken on another one; the next attempt draws another port.
            }
        }

        return BindAll(endPoints, isOnePort: false, servesAll, isShared: false);
    }

    private Socket[] BindAll(IReadOnlyList<IPEndPoint> endPoints, bool isOnePort, bool servesAll, bool isShared)
    {
        var bound = new List<Socket>();
        var chosen = 0;
        try
        {
            foreach (var endPoint in endPoints)
            {
                var isFree = endPoint.Port == 0;
                var socket = Open(endPoint.Address, servesAll);
                bound.Add(socket);
                if (isShared) { SharePort(socket); }
                BindTo(socket, isFree && isOnePort ? new IPEndPoint(endPoint.Address, chosen) : endPoint);
                if (isFree) { chosen = ((IPEndPoint)socket.LocalEndPoint!).Port; }
            }

            return [.. bound];
        }
        catch
        {
            Close(bound);
            throw;
        }
    }

    private static void BindTo(Socket socket, IPEndPoint place)
    {
        try { socket.Bind(place); }
        catch (SocketException exception) { throw BindFailure.Of(ProtocolType.Udp, place, exception); }
    }

    private Socket Open(IPAddress address, bool servesAll)
    {
        var socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            var isDual = servesAll && isNative && address.Equals(IPAddress.IPv6Any);
            if (address.AddressFamily == AddressFamily.InterNetworkV6) { socket.DualMode = isDual; }
            Grant(settings.ReceiveBufferSize, size => socket.ReceiveBufferSize = size);
            Grant(settings.SendBufferSize, size => socket.SendBufferSize = size);
            if (OperatingSystem.IsLinux()) { SetLinuxOptions(socket, address); }
            if (OperatingSystem.IsWindows()) { SetWindowsOptions(socket); }
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Has the kernel deliver only what this very socket has joined, and say where each datagram was sent to.</summary>
    public static void SetGroupOptions(Socket socket)
    {
        var isIPv6 = socket.AddressFamily == AddressFamily.InterNetworkV6;
        Set(socket, SocketLevel, ReuseAddress, 1);
        SharePort(socket);
        if (isIPv6) { TrySet(socket, IPv6Level, AllMulticastIPv6, 0); }
        else { Set(socket, IPLevel, AllMulticast, 0); }
        Set(socket, SocketLevel, TellOverflow, 1);
        if (isIPv6) { Set(socket, IPv6Level, TellPacketInfoIPv6, 1); }
        else { Set(socket, IPLevel, TellPacketInfo, 1); }
    }

    private void SetLinuxOptions(Socket socket, IPAddress address)
    {
        var isIPv6 = socket.AddressFamily == AddressFamily.InterNetworkV6;
        Set(socket, IPLevel, AllMulticast, 0);
        if (isIPv6) { TrySet(socket, IPv6Level, AllMulticastIPv6, 0); }
        if (!isNative) { return; }
        Set(socket, SocketLevel, TellOverflow, 1);
        Set(socket, IPLevel, TellErrors, 1);
        if (isIPv6) { Set(socket, IPv6Level, TellErrorsIPv6, 1); }
        if (settings is { GathersDatagrams: true, MaxReceiveSize: UdpSettings.LargestDatagram }) { TrySet(socket, UdpLevel, GatherReceived, 1); }
        if (address.Equals(IPAddress.Any)) { Set(socket, IPLevel, TellPacketInfo, 1); }
        if (address.Equals(IPAddress.IPv6Any)) { Set(socket, IPv6Level, TellPacketInfoIPv6, 1); }
    }

    private static void SetWindowsOptions(Socket socket)
    {
        const int ResetByPeer = unchecked((int)0x9800000C);
        socket.ExclusiveAddressUse = true;

        // Otherwise an ICMP error makes a later receive fail, without a word on which datagram it was about.
        socket.IOControl(ResetByPeer, [0, 0, 0, 0], null);
    }

    /// <summary>Some systems refuse a buffer above their limit instead of giving what they have.</summary>
    public static void Grant(int size, Action<int> set)
    {
        while (true)
        {
            try
            {
                set(size);
                return;
            }
            catch (SocketException) when (size > 64 * 1024)
            {
                size /= 2;
            }
        }
    }

    private static IPEndPoint[] Expand(IPEndPoint endPoint, bool servesAll)
    {
        var isAny = endPoint.Address.Equals(IPAddress.Any);
        if (!isAny && !endPoint.Address.Equals(IPAddress.IPv6Any)) { return [endPoint]; }
        var found = NetworkInterface.GetAllNetworkInterfaces()
            .Where(card => card.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown)
            .SelectMany(card => card.GetIPProperties().UnicastAddresses)
            .Select(entry => entry.Address)
            .Where(address => address.AddressFamily == endPoint.AddressFamily || (!isAny && servesAll))
            .Distinct()
            .Where(CanBind)
            .Select(address => new IPEndPoint(address, endPoint.Port))
            .ToArray();
        return found.Length > 0 ? found : [endPoint];
    }

    /// <summary>An address may be listed before it may be used, or after.</summary>
    private static bool CanBind(IPAddress address)
    {
        using var probe = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            probe.Bind(new IPEndPoint(address, 0));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>Lets others of the same user bind the port that this socket has, or is about to have.</summary>
    public static void SharePort(Socket socket) => Set(socket, SocketLevel, ReusePort, 1);

    private static void Set(Socket socket, int level, int name, int value) =>
        socket.SetRawSocketOption(level, name, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in value)));

    private static void TrySet(Socket socket, int level, int name, int value)
    {
        try
        {
            Set(socket, level, name, value);
        }
        catch (SocketException)
        {
            // A kernel that does not know the option yet. What it prevents are copies of datagrams of groups that others have joined.
        }
    }

    private static void Close(IEnumerable<Socket> sockets)
    {
        foreach (var socket in sockets) { socket.Dispose(); }
    }
}
