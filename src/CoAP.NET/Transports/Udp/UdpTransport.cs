using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens the UDP transports of one lane, or of several lanes that share their ports.</summary>
internal static class UdpTransport
{
    /// <summary>The gap in bytes between memory of different lanes, so that they share no cache line. Some processors fetch lines in pairs.</summary>
    public const int Gap = 128;

    /// <summary>The longest wait for space in a full send buffer.</summary>
    public static readonly TimeSpan MaxSendWait = TimeSpan.FromMilliseconds(5);

    /// <summary>Whether the system distributes the peers of one port over several sockets.</summary>
    public static bool SupportsSharedPorts => OperatingSystem.IsLinux();

    /// <summary>Binds every endpoint once per lane.</summary>
    /// <param name="endPoints">
    /// The addresses to listen on. All endpoints with port 0 get the same free port, if their addresses differ and such a port is found.
    /// </param>
    /// <param name="lanes">The number of transports. Each has its own sockets. More than 1 requires <see cref="SupportsSharedPorts"/>.</param>
    /// <param name="settings">The settings of the sockets.</param>
    /// <param name="groups">The multicast groups to join. The first transport receives their datagrams.</param>
    /// <param name="joined">Called with each group and the number of interfaces on which it was joined.</param>
    /// <param name="isDualMode">Whether <c>[::]</c> also receives IPv4.</param>
    /// <param name="mayOpenPorts">Whether the transports may open further ports at the first address.</param>
    /// <exception cref="SocketException">An endpoint is in use, or does not belong to this machine.</exception>
    /// <exception cref="PlatformNotSupportedException">There are several lanes, and the system cannot share a port among them.</exception>
    public static IDatagramTransport[] Bind(
        IReadOnlyList<IPEndPoint> endPoints, int lanes, UdpSettings settings, IReadOnlyList<GroupMembership>? groups = null,
        Action<IPEndPoint, int>? joined = null, bool isDualMode = true, bool mayOpenPorts = false)
    {
        if (lanes > 1 && !SupportsSharedPorts)
        {
            throw new PlatformNotSupportedException($"{lanes} lanes were requested, but this system cannot share a UDP port among several lanes.");
        }

        var isNative = settings.UsesNativeCalls && LinuxCalls.IsSupported;
        var binder = new UdpBinder(settings, isNative, isDualMode);
        var sockets = binder.Bind(endPoints, lanes);
        Func<Socket[]>? open = mayOpenPorts ? () => binder.Bind([new IPEndPoint(endPoints[0].Address, 0)], lanes: 1)[0] : null;
        List<IDatagramTransport> transports = [];
        try
        {
            var members = groups is { Count: > 0 } ? new GroupBinder(settings, isNative, joined).Join(groups, sockets) : [];
            foreach (var lane in sockets) { transports.Add(Create(lane, transports.Count == 0 ? members : [], settings, isNative, open)); }
            return [.. transports];
        }
        catch
        {
            foreach (var transport in transports) { transport.Dispose(); }
            foreach (var socket in sockets.SelectMany(lane => lane)) { socket.Dispose(); }
            throw;
        }
    }

    /// <summary>Returns the port from which a lane answers datagrams that its group sockets of this family receive.</summary>
    public static ushort PortOf(IReadOnlyList<IPEndPoint> bound, AddressFamily family) =>
        (ushort)(bound.FirstOrDefault(local => local.AddressFamily == family) ?? bound[0]).Port;

    private static IDatagramTransport Create(Socket[] sockets, Socket[] groups, UdpSettings settings, bool isNative,
        Func<Socket[]>? open) =>
        isNative && LinuxCalls.IsSupported
            ? new BatchedUdpTransport(sockets, groups, settings, open)
            : new PortableUdpTransport(sockets, groups, settings, open);
}
