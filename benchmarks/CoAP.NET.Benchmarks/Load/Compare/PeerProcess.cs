using System.Collections.Concurrent;

namespace CoAP.Benchmarks.Load;

/// <summary>A running server, pinned to its processor.</summary>
internal sealed class PeerProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Process _process;
    private readonly ConcurrentDictionary<string, double> _metrics = new();

    private PeerProcess(Peer peer, int port, int processor)
    {
        (Peer, Port) = (peer, port);
        string[] command = [.. ServerProcess.On(processor), .. peer.Command.Select(one => one.Replace("{port}", $"{port}", StringComparison.Ordinal))];
        _process = Process.Start(new ProcessStartInfo(command[0], command[1..]) { RedirectStandardError = true, RedirectStandardOutput = true, RedirectStandardInput = true })!;
        _process.ErrorDataReceived += (_, line) => Read(line.Data);
        _process.OutputDataReceived += static (_, _) => { };
        _process.BeginErrorReadLine();
        _process.BeginOutputReadLine();
    }

    public Peer Peer { get; }

    public int Port { get; }

    public int Id => _process.Id;

    /// <summary>The transports over which the server has had its warm-up.</summary>
    public HashSet<bool> IsWarm { get; } = [];

    /// <summary>The metrics that the server has printed since its start, by name.</summary>
    public IReadOnlyDictionary<string, double> Metrics => new Dictionary<string, double>(_metrics);

    /// <summary>Starts a server and waits until it answers.</summary>
    /// <exception cref="InvalidOperationException">The server ends or does not answer.</exception>
    public static PeerProcess Start(Peer peer, int processor)
    {
        using var probe = BareService.Bind(isTcp: true, 0);
        var port = ((IPEndPoint)probe.LocalEndPoint!).Port;
        probe.Dispose();
        var server = new PeerProcess(peer, port, processor);
        for (var watch = Stopwatch.StartNew(); !server._process.HasExited && watch.Elapsed < Patience;)
        {
            if (server.Answers()) { return server; }
        }
        server.Dispose();
        throw new InvalidOperationException($"{peer.Name} does not answer on port {port}.");
    }

    public void Dispose()
    {
        if (!_process.HasExited) { _process.Kill(); }
        _process.WaitForExit();
        _process.Dispose();
    }

    // The sample server prints lines of a name and a number.
    private void Read(string? line)
    {
        if (line?.Split(' ') is [var name, var text] && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)) { _metrics[name] = value; }
    }

    private bool Answers()
    {
        var once = new LoadSettings
        {
            Server = new IPEndPoint(IPAddress.Loopback, Port),
            IsTcp = !Peer.HasUdp,
            Path = Peer.Path,
            Sockets = 1,
            Outstanding = 1,
            Limit = 1,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromMilliseconds(200),
        };
        try
        {
            return Load.Run(once).Tally.Good > 0;
        }
        catch (SocketException)
        {
            // The server does not listen yet.
            _process.WaitForExit(50);
            return false;
        }
    }
}
