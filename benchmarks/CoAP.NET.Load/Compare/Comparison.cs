using System.Net;

namespace CoAP.Load.Compare;

/// <summary>Runs each case on each server in turn, round after round.</summary>
internal sealed class Comparison(CompareSettings settings, TextWriter progress) : IDisposable
{
    private readonly Dictionary<Peer, PeerProcess> _running = [];

    public IReadOnlyList<Peer> Peers { get; } = Peer.All(settings);

    public List<Measurement> Measurements { get; } = [];

    public void Run(CancellationToken cancellationToken)
    {
        foreach (var one in settings.Cases)
        {
            for (var round = 1; round <= settings.Repeats; round++)
            {
                foreach (var peer in Peers.Where(peer => one.IsTcp ? peer.HasTcp : peer.HasUdp))
                {
                    if (cancellationToken.IsCancellationRequested) { return; }
                    Measurements.Add(Measure(one, peer, round, cancellationToken));
                }
            }
        }
    }

    public void Dispose()
    {
        foreach (var server in _running.Values) { server.Dispose(); }
        _running.Clear();
    }

    private Measurement Measure(Case one, Peer peer, int round, CancellationToken cancellationToken)
    {
        var server = Start(peer);
        try
        {
            var isFirst = server.IsWarm.Add(one.IsTcp);
            var load = new LoadSettings
            {
                Server = new IPEndPoint(IPAddress.Loopback, server.Port),
                IsTcp = one.IsTcp,
                Sockets = one.Sockets,
                Outstanding = one.Outstanding,
                Options = CoapUri.Parse($"coap://127.0.0.1/{peer.Path}").ToPathOptions(),
                ServerProcess = server.Id,
                Duration = settings.Measured,
                WarmUp = settings.Settle,
            };
            if (isFirst && !peer.IsFresh) { WarmUp(load); }
            var result = LoadRun.Run(load, cancellationToken);
            progress.WriteLine(FormattableString.Invariant(
                $"{one}, round {round}: {peer.Name}, {result.Rate:N0} requests/s, {result.ServerCpuPerMillion:0.00} CPU s per million"));
            return new(one, peer, round, result, one.IsTcp ? server.Told with { Window = null } : server.Told);
        }
        finally
        {
            if (peer.IsFresh) { Stop(peer); }
        }
    }

    // One request at a time never gets a server to compile what it uses most.
    private void WarmUp(LoadSettings load)
    {
        const int Enough = 64;
        LoadRun.Run(load with
        {
            Outstanding = load.IsTcp ? load.Outstanding : Math.Max(Enough, load.Outstanding),
            WarmUp = TimeSpan.Zero,
            Duration = settings.WarmUp > TimeSpan.Zero ? settings.WarmUp : TimeSpan.FromMilliseconds(1),
        });
    }

    private PeerProcess Start(Peer peer)
    {
        if (!_running.TryGetValue(peer, out var server)) { _running[peer] = server = PeerProcess.Start(peer, settings.ServerProcessor); }
        return server;
    }

    private void Stop(Peer peer)
    {
        _running.Remove(peer, out var server);
        server?.Dispose();
    }
}
