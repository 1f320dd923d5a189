using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens the UDP transports of a lane or of several lanes that share their ports.</summary>
internal static class UdpTransport
{
    /// <summary>Whether the system spreads the peers of one port over several sockets.</summary>
    public static bool SupportsSharedPorts => OperatingSystem.IsLinux();

    /// <summary>Binds every endpoint once per lane.</summary>
    /// <param name="endPoints">
    /// Where to listen. Those with port 0 get one free port together, where their addresses differ and one can be had.
    /// </param>
    /// <param name="lanes">
    /// The number of transports, each with sockets of its own; above 1 only where <see cref="SupportsSharedPorts"/>.
    /// </param>
    /// <param name="settings">How to open and read the sockets.</param>
    /// <param name="groups">The groups to join; the first transport receives what is sent to them.</param>
    /// <param name="joined">Is told on how many interfaces a group was joined.</param>
    /// <param name="isDualMode">See <see cref="CoapEndpointSettings.IsDualMode"/>.</param>
    /// <exception cref="SocketException">An endpoint is in use, or is not of this machine.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// Several lanes are asked for on a system that cannot share a port among them.
    /// </exception>
    public static IDatagramTransport[] Bind(
        IReadOnlyList<IPEndPoint> endPoints, int lanes, UdpSettings settings, IReadOnlyList<GroupPlace>? groups = null, Action<IPEndPoint, int>? joined = null,
        bool isDualMode = true)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(endPoints);
        ArgumentOutOfRangeException.ThrowIfLessThan(lanes, 1);
        if (endPoints.Count == 0) { throw new ArgumentException("At least one endpoint is needed.", nameof(endPoints)); }
        if (lanes > 1 && !SupportsSharedPorts)
        {
            throw new PlatformNotSupportedException($"{lanes} lanes were asked for; this system cannot share a UDP port among them.");
        }

        var isNative = settings.UsesNativeCalls && LinuxCalls.IsSupported;
        var sockets = new UdpBinding(settings, isNative, isDualMode).Bind(endPoints, lanes);
        try
        {
            var members = groups is { Count: > 0 } ? new GroupBinding(settings, isNative, joined).Join(groups, sockets) : [];
            return [.. sockets.Select((lane, index) => Create(lane, index == 0 ? members : [], settings, isNative))];
        }
        catch
        {
            foreach (var socket in sockets.SelectMany(lane => lane)) { socket.Dispose(); }
            throw;
        }
    }

    private static IDatagramTransport Create(Socket[] sockets, Socket[] groups, UdpSettings settings, bool isNative) =>
        isNative && LinuxCalls.IsSupported
            ? new BatchedUdpTransport(sockets, groups, settings)
            : new PortableUdpTransport(sockets, groups, settings);
}
