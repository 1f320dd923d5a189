using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Sets socket options that only Linux has.</summary>
[SupportedOSPlatform("linux")]
internal static class LinuxSocketOptions
{
    private const int ReuseAddress = 2, ReusePort = 15, ReportOverflow = 40;
    private const int CoalesceReceived = 104;
    private const int ReportPacketInfo = 8, ReportErrors = 11, AllMulticast = 49;
    private const int ReportPacketInfoIPv6 = 49, ReportErrorsIPv6 = 25, AllMulticastIPv6 = 29;

    /// <summary>Prepares a unicast socket before it is bound.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="address">The address that it will be bound to.</param>
    /// <param name="reportsDetails">Whether the kernel reports the local address, the errors and the overflow of each datagram.</param>
    /// <param name="coalescesReceived">Whether the kernel may deliver datagrams of one peer as one.</param>
    public static void PrepareUnicast(Socket socket, IPAddress address, bool reportsDetails, bool coalescesReceived)
    {
        var isIPv6 = socket.AddressFamily == AddressFamily.InterNetworkV6;
        Set(socket, ControlMessages.LevelIP, AllMulticast, 0);
        if (isIPv6) { TrySet(socket, ControlMessages.LevelIPv6, AllMulticastIPv6, 0); }
        if (!reportsDetails) { return; }
        Set(socket, ControlMessages.LevelSocket, ReportOverflow, 1);
        Set(socket, ControlMessages.LevelIP, ReportErrors, 1);
        if (isIPv6) { Set(socket, ControlMessages.LevelIPv6, ReportErrorsIPv6, 1); }
        if (coalescesReceived) { TrySet(socket, ControlMessages.LevelUdp, CoalesceReceived, 1); }
        if (address.Equals(IPAddress.Any)) { Set(socket, ControlMessages.LevelIP, ReportPacketInfo, 1); }
        if (address.Equals(IPAddress.IPv6Any)) { Set(socket, ControlMessages.LevelIPv6, ReportPacketInfoIPv6, 1); }
    }

    /// <summary>Prepares a multicast socket, so that it receives only the groups that it joined, with the destination of each datagram.</summary>
    public static void PrepareGroup(Socket socket)
    {
        var isIPv6 = socket.AddressFamily == AddressFamily.InterNetworkV6;
        Set(socket, ControlMessages.LevelSocket, ReuseAddress, 1);
        SharePort(socket);
        if (isIPv6) { TrySet(socket, ControlMessages.LevelIPv6, AllMulticastIPv6, 0); }
        else { Set(socket, ControlMessages.LevelIP, AllMulticast, 0); }
        Set(socket, ControlMessages.LevelSocket, ReportOverflow, 1);
        if (isIPv6) { Set(socket, ControlMessages.LevelIPv6, ReportPacketInfoIPv6, 1); }
        else { Set(socket, ControlMessages.LevelIP, ReportPacketInfo, 1); }
    }

    /// <summary>Lets other sockets of the same user bind the port of this socket.</summary>
    public static void SharePort(Socket socket) => Set(socket, ControlMessages.LevelSocket, ReusePort, 1);

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
            // An older kernel does not know the option. Without it, the socket may receive copies of datagrams of groups that others joined.
        }
    }
}
