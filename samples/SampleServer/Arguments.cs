using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using CoAP;
using Samples;

namespace SampleServer;

/// <summary>The parsed command line.</summary>
internal sealed record Arguments(IReadOnlyList<ServerEndpoint> Endpoints, ServerMode Mode, bool JoinsGroups)
{
    public const string Usage = """
        Usage: SampleServer [--port N] [--host ADDRESS|*] [--mode async|async-single|sync] [--multicast]
                     [--lanes N] [--wait thread|awaited] [--gather yes|no]
                     [--tls-port N] [--ws-port N] [--wss-port N] [--dtls-port N] [--psk IDENTITY:KEY]...
                     [--dtls-sessions FILE:SECRET] [--cert FILE --key FILE] [--ca FILE] [--metrics SECONDS] [--help]
        --port is the port for UDP and TCP (default: 5683), --host the address (default: loopback; * for all). Port 0 is a free port.
        --mode, --lanes, --wait and --gather select how the server uses threads and sockets. --multicast joins the groups of all CoAP nodes.
        --tls-port serves coaps+tcp, --ws-port and --wss-port serve WebSockets.
        --dtls-port serves coaps with the keys of --psk and the certificate of --cert and --key (default: a development certificate).
        --psk is a pre-shared key and can be repeated. KEY is text, or hexadecimal digits after 0x.
        --dtls-sessions keeps the sessions in an encrypted file, so that clients need no new handshake after a restart.
        --ca lets clients over DTLS present certificates that this authority has issued.
        --metrics prints the counters of the server at this interval.
        Example: SampleServer --port 5699 --dtls-port 5684 --psk me:secret
        """;

    private const int DefaultPort = 5683;
    private const string Multicast = "--multicast";

    /// <summary>The ports for plain and secured WebSockets; <see langword="null"/> if they are not served.</summary>
    public int? WebSocketPort { get; private init; }

    public int? SecuredWebSocketPort { get; private init; }

    /// <summary>The port for DTLS; <see langword="null"/> if it is not served.</summary>
    public int? DtlsPort { get; private init; }

    /// <summary>The pre-shared keys of clients over DTLS.</summary>
    public IReadOnlyList<PreSharedKey> Keys { get; private init; } = [];

    /// <summary>The store of DTLS sessions; <see langword="null"/> if they end with the process.</summary>
    public FileDtlsSessionStore? DtlsSessions { get; private init; }

    /// <summary>The PEM file of the authority of clients over DTLS.</summary>
    public string? AuthorityFile { get; private init; }

    /// <summary>The PEM files of the certificate. Default: a development certificate.</summary>
    public string? CertificateFile { get; private init; }

    public string? KeyFile { get; private init; }

    /// <summary>The interval at which counters are written to the standard error; <see langword="null"/> for never.</summary>
    public TimeSpan? MetricsEvery { get; private init; }

    /// <summary>The number of datagram lanes.</summary>
    public int Lanes { get; private init; } = 1;

    /// <summary>How lanes wait for datagrams.</summary>
    public LaneForm LaneForm { get; private init; }

    /// <summary>Whether datagrams for one peer are passed to the kernel together.</summary>
    public bool GathersDatagrams { get; private init; } = true;

    public IReadOnlyList<IPAddress> Hosts { get; private init; } = [];

    public static bool TryParse(string[] args, [NotNullWhen(true)] out Arguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        int port = DefaultPort, at = 0;
        var joinsGroups = args.Contains(Multicast);
        args = [.. args.Where(argument => argument != Multicast)];
        var hosts = LoopbackAddresses();
        var mode = ServerMode.Async;
        var lanes = 1;
        var laneForm = LaneForm.Thread;
        var gathers = true;
        int? tlsPort = null, webSocketPort = null, securedWebSocketPort = null, dtlsPort = null;
        string? certificateFile = null, keyFile = null, authorityFile = null;
        List<PreSharedKey> keys = [];
        FileDtlsSessionStore? sessions = null;
        TimeSpan? metricsEvery = null;
        for (error = null; at < args.Length && error is null; at += 2)
        {
            var value = at + 1 < args.Length ? args[at + 1] : "";
            error = args[at] switch
            {
                "--port" => TryPort(value, out port) ? null : $"--port takes a number from 0 to 65535, not '{value}'.",
                "--host" => TryHosts(value, out hosts) ? null : $"--host takes an IP address or *, not '{value}'.",
                "--mode" => TryMode(value, out mode) ? null : $"--mode takes async, async-single or sync, not '{value}'.",
                "--lanes" => TryLanes(value, out lanes) ? null : $"--lanes takes a number from 1 to 64, not '{value}'.",
                "--wait" => TryForm(value, out laneForm) ? null : $"--wait takes thread or awaited, not '{value}'.",
                "--gather" => (gathers = value == "yes") || value == "no" ? null : $"--gather takes yes or no, not '{value}'.",
                "--tls-port" => TryPort(value, out tlsPort) ? null : $"--tls-port takes a number from 0 to 65535, not '{value}'.",
                "--ws-port" => TryPort(value, out webSocketPort) ? null : $"--ws-port takes a number from 0 to 65535, not '{value}'.",
                "--wss-port" => TryPort(value, out securedWebSocketPort) ? null : $"--wss-port takes a number from 0 to 65535, not '{value}'.",
                "--dtls-port" => TryPort(value, out dtlsPort) ? null : $"--dtls-port takes a number from 0 to 65535, not '{value}'.",
                "--psk" => KeyArgument.TryAdd(value, keys),
                "--dtls-sessions" => SessionFile.TryOpen(value, out sessions),
                "--ca" => File.Exists(authorityFile = value) ? null : $"--ca: there is no file '{value}'.",
                "--cert" or "--certificate" => File.Exists(certificateFile = value) ? null : $"{args[at]}: there is no file '{value}'.",
                "--key" => File.Exists(keyFile = value) ? null : $"--key: there is no file '{value}'.",
                "--metrics" => TrySeconds(value, out metricsEvery) ? null : $"--metrics takes a number of seconds, not '{value}'.",
                _ => KeyArgument.Unknown(args[at]),
            };
        }
        if (certificateFile is null != keyFile is null) { error ??= "--cert and --key must be given together."; }
        if (error is not null) { return false; }
        var addresses = hosts.Select(host => new IPEndPoint(host, port)).ToArray();
        var secured = tlsPort is { } tls ? hosts.Select(host => ServerEndpoint.Tls(new IPEndPoint(host, tls))) : [];
        var datagrams = dtlsPort is { } dtls ? hosts.Select(host => ServerEndpoint.Dtls(new IPEndPoint(host, dtls))) : [];
        arguments = new([.. addresses.Select(ServerEndpoint.Udp), .. addresses.Select(ServerEndpoint.Tcp), .. secured, .. datagrams], mode, joinsGroups)
        {
            DtlsPort = dtlsPort,
            Keys = keys,
            DtlsSessions = sessions,
            AuthorityFile = authorityFile,
            WebSocketPort = webSocketPort,
            SecuredWebSocketPort = securedWebSocketPort,
            CertificateFile = certificateFile,
            KeyFile = keyFile,
            MetricsEvery = metricsEvery,
            Lanes = lanes,
            LaneForm = laneForm,
            GathersDatagrams = gathers,
            Hosts = hosts,
        };
        return true;
    }

    // Many machines have no IPv6, containers above all.
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

    private static bool TryPort(string text, out int? port)
    {
        (var isPort, port) = (TryPort(text, out int number), number);
        return isPort;
    }

    private static bool TrySeconds(string text, out TimeSpan? time)
    {
        time = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds) && seconds > 0 ? TimeSpan.FromSeconds(seconds) : null;
        return time is not null;
    }

    private static bool TryLanes(string text, out int lanes) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out lanes) && lanes is >= 1 and <= 64;

    private static bool TryForm(string text, out LaneForm form)
    {
        form = text == "awaited" ? LaneForm.ThreadPool : LaneForm.Thread;
        return text is "thread" or "awaited";
    }

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
