using System.Net;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A server that accepts connections within the process.</summary>
internal sealed class ConnectionFortress : Fortress
{
    private readonly InMemoryNetwork _network = new();
    private readonly CoapServer _server;

    public ConnectionFortress(Limit limit)
    {
        _server = new CoapServer(limit.Apply(Settings with { Network = _network, Endpoints = [ServerEndpoint.InMemory(StreamHost.Name)] }, this));
        foreach (var step in limit.StepsOf(this)) { _server.Use(step); }
        Map(_server.Resources);
        _server.Start();
    }

    public override Ledger Ledger => _server.Lanes.OfType<ExchangeLane>().First().Ledger;

    public override async Task<Guest> AdmitAsync(IPEndPoint address) => await ConnectionGuest.ConnectAsync(_network, address);

    public override Task RunUntilAsync(Func<bool> isDone) => _server.TakeTurnsUntilAsync(isDone);

    public override ValueTask DisposeAsync()
    {
        OpenAll();
        return _server.DisposeAsync();
    }
}
