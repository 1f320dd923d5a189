using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens and binds UDP sockets: exclusively for the first lane, then to the same ports for the other lanes.</summary>
/// <param name="settings">The sizes of the buffers.</param>
/// <param name="isNative">
/// Whether the kernel reports the local address and the errors of each datagram. Otherwise each address of a wildcard has its own socket.
/// </param>
/// <param name="isDualMode">Whether <c>[::]</c> also receives IPv4.</param>
internal sealed class UdpBinder(UdpSettings settings, bool isNative, bool isDualMode)
{
    private const int AttemptsAtOnePort = 8;

    /// <summary>Returns the sockets of all endpoints for each lane, in the order of the endpoints.</summary>
    public Socket[][] Bind(IReadOnlyList<IPEndPoint> endPoints, int lanes)
    {
        var servesAll = isDualMode && !endPoints.Any(endPoint => endPoint.Address.Equals(IPAddress.Any));
        IReadOnlyList<IPEndPoint> addresses = isNative ? endPoints : [.. endPoints.SelectMany(endPoint => Expand(endPoint, servesAll))];
        var bound = new List<Socket[]> { BindFirst(addresses, servesAll) };
        try
        {
            // The first lane binds without this option, so the bind fails if another process has the port, even with the same option.
            if (lanes > 1) { SharePorts(bound[0]); }
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

    /// <summary>Sets a buffer size. Halves it while the system refuses it: some systems do not grant the size that they have instead.</summary>
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
                // The port is free on the first address but taken on another one. The next attempt gets another port.
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
                if (isShared) { SharePorts([socket]); }
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

    private static void BindTo(Socket socket, IPEndPoint address)
    {
        try { socket.Bind(address); }
        catch (SocketException exception) { throw BindFailure.Of(ProtocolType.Udp, address, exception); }
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
            if (OperatingSystem.IsLinux()) { LinuxSocketOptions.PrepareUnicast(socket, address, isNative, settings.CoalescesReceived); }
            if (OperatingSystem.IsWindows()) { PrepareOnWindows(socket); }
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void PrepareOnWindows(Socket socket)
    {
        const int ResetByPeer = unchecked((int)0x9800000C);
        socket.ExclusiveAddressUse = true;

        // Without this control code, an ICMP error makes a later receive fail and does not report the datagram that caused it.
        socket.IOControl(ResetByPeer, [0, 0, 0, 0], null);
    }

    private static void SharePorts(Socket[] sockets)
    {
        if (OperatingSystem.IsLinux()) { Array.ForEach(sockets, LinuxSocketOptions.SharePort); }
    }

    private static IPEndPoint[] Expand(IPEndPoint endPoint, bool servesAll)
    {
        var isAny = endPoint.Address.Equals(IPAddress.Any);
        if (!isAny && !endPoint.Address.Equals(IPAddress.IPv6Any)) { return [endPoint]; }
        var found = NetworkCards.Active()
            .SelectMany(NetworkCards.AddressesOf)
            .Where(address => address.AddressFamily == endPoint.AddressFamily || (!isAny && servesAll))
            .Distinct()
            .Where(CanBind)
            .Select(address => new IPEndPoint(address, endPoint.Port))
            .ToArray();
        return found.Length > 0 ? found : [endPoint];
    }

    // The system may list an address that cannot be used yet, or no longer.
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

    private static void Close(IEnumerable<Socket> sockets)
    {
        foreach (var socket in sockets) { socket.Dispose(); }
    }
}
