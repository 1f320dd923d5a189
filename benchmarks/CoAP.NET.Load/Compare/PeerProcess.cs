using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Load.Compare;

/// <summary>A running server, pinned to its processor.</summary>
internal sealed class PeerProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Process _process;
    private readonly ConcurrentDictionary<string, double> _metrics = new();

    private PeerProcess(Peer peer, int port, int processor)
    {
        (Peer, Port) = (peer, port);
        string[] command = [peer.Program, .. peer.Arguments.Select(one => one.Replace("{port}", Format(port), StringComparison.Ordinal))];
        if (OperatingSystem.IsLinux()) { command = ["taskset", "-c", Format(processor), .. command]; }
        var start = new ProcessStartInfo(command[0], command[1..]) { RedirectStandardError = true, RedirectStandardOutput = true };
        if (peer.IsOwn) { (start.Environment["DOTNET_TieredCompilation"], start.Environment["DOTNET_TieredPGO"]) = ("1", "1"); }
        _process = Process.Start(start)!;
        _process.ErrorDataReceived += (_, line) => Read(line.Data);
        _process.OutputDataReceived += static (_, _) => { };
        _process.BeginErrorReadLine();
        _process.BeginOutputReadLine();
    }

    public Peer Peer { get; }

    public int Port { get; }

    public int Id => _process.Id;

    /// <summary>Whether it has had its warm-up over this transport.</summary>
    public HashSet<bool> IsWarm { get; } = [];

    /// <summary>What it has told of itself so far.</summary>
    public ServerTold Told => new(
        Metric("coap.deduplication.window"), Metric("dotnet.pauses.longest_ms"), Metric("dotnet.pauses"), Metric("dotnet.allocated"),
        Metric("dotnet.collections.gen1"), Metric("coap.messages.received"));

    /// <summary>Starts it and waits until it answers.</summary>
    /// <exception cref="InvalidOperationException">It ends, or does not answer.</exception>
    public static PeerProcess Start(Peer peer, int processor)
    {
        var server = new PeerProcess(peer, FreePort(), processor);
        var started = Stopwatch.GetTimestamp();
        while (!server._process.HasExited && Stopwatch.GetElapsedTime(started) < Patience)
        {
            if (server.Answers()) { return server; }
        }

        server.Dispose();
        throw new InvalidOperationException($"{peer.Name} does not answer on port {server.Port}.");
    }

    public void Dispose()
    {
        if (!_process.HasExited) { _process.Kill(); }
        _process.WaitForExit();
        _process.Dispose();
    }

    private static string Format(int number) => number.ToString(CultureInfo.InvariantCulture);

    // A port that is free for both transports at this moment.
    private static int FreePort()
    {
        using var probe = Echo.EchoCommand.Bind(isTcp: true, 0);
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    private void Read(string? line)
    {
        if (line?.Split(' ') is [var name, var text] && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value))
        {
            _metrics[name] = value;
        }
    }

    private double? Metric(string name) => _metrics.TryGetValue(name, out var value) ? value : null;

    private bool Answers()
    {
        var once = new LoadSettings
        {
            Server = new IPEndPoint(IPAddress.Loopback, Port),
            IsTcp = !Peer.HasUdp,
            Sockets = 1,
            Outstanding = 1,
            Options = CoapUri.Parse($"coap://127.0.0.1/{Peer.Path}").ToPathOptions(),
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromMilliseconds(200),
            Limit = 1,
        };
        try
        {
            return LoadRun.Run(once).Tally.Good > 0;
        }
        catch (SocketException)
        {
            // Nobody listens yet.
            _process.WaitForExit(50);
            return false;
        }
    }
}
