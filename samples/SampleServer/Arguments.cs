using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using CoAP;

namespace SampleServer;

/// <summary>What the command line says.</summary>
internal sealed record Arguments(IReadOnlyList<ServerEndpoint> Endpoints, ServerMode Mode, bool JoinsGroups)
{
    public const string Usage = "SampleServer [--port N] [--host ADDRESS|*] [--mode async|async-single|sync] [--multicast]";

    private const int DefaultPort = 5683;
    private const string Multicast = "--multicast";

    public static bool TryParse(string[] args, [NotNullWhen(true)] out Arguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        int port = DefaultPort, at = 0;
        var joinsGroups = args.Contains(Multicast);
        args = [.. args.Where(argument => argument != Multicast)];
        var hosts = LoopbackAddresses();
        var mode = ServerMode.Async;
        for (error = null; at < args.Length && error is null; at += 2)
        {
            var value = at + 1 < args.Length ? args[at + 1] : "";
            error = args[at] switch
            {
                "--port" => TryPort(value, out port) ? null : $"--port takes a number from 0 to 65535, not '{value}'.",
                "--host" => TryHosts(value, out hosts) ? null : $"--host takes an IP address or *, not '{value}'.",
                "--mode" => TryMode(value, out mode) ? null : $"--mode takes async, async-single or sync, not '{value}'.",
                _ => $"Unknown option '{args[at]}'.",
            };
        }
        if (error is not null) { return false; }
        var addresses = hosts.Select(host => new IPEndPoint(host, port)).ToArray();
        arguments = new([.. addresses.Select(ServerEndpoint.Udp), .. addresses.Select(ServerEndpoint.Tcp)], mode, joinsGroups);
        return true;
    }

    // Machines without IPv6 are common, containers above all.
    private static IPAddress[] LoopbackAddresses()
    {
        try
        {
            using var probe = new Socket(AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp);
            probe.Bind(new IPEndPoint(IPAddress.IPv6Loopback, 0));
            return [IPAddress.Loopback, IPAddress.IPv6Loopback];
        }
        catch (SocketException)
        {
            return [IPAddress.Loopback];
        }
    }

    private static bool TryPort(string text, out int port) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port) && port <= IPEndPoint.MaxPort;

    private static bool TryHosts(string text, out IPAddress[] hosts)
    {
        hosts = text == "*" ? [IPAddress.IPv6Any] : IPAddress.TryParse(text, out var address) ? [address] : [];
        return hosts.Length > 0;
    }

    private static bool TryMode(string text, out ServerMode mode)
    {
        (mode, var isKnown) = text switch
        {
            "async" => (ServerMode.Async, true),
            "async-single" => (ServerMode.AsyncSingle, true),
            "sync" => (ServerMode.Sync, true),
            _ => (default, false),
        };
        return isKnown;
    }
}
