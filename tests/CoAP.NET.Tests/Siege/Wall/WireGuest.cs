using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A peer over datagrams, in simulated time.</summary>
internal sealed class WireGuest(Wire wire, LaneEnd server, IPEndPoint address) : Guest
{
    private readonly ScriptedPeer _peer = ScriptedPeer.Client(wire, address);
    private int _lastId;

    public override void Dispose() => _peer.Dispose();

    protected override Task SendAsync(WireMessage request)
    {
        _peer.Send((request with { Id = ++_lastId }).ToBytes());
        return Task.CompletedTask;
    }

    protected override Task<WireMessage?> TakeAsync()
    {
        _peer.TakeAll(seconds: 0);
        return Task.FromResult(_peer.Received.Select(WireMessage.Read).LastOrDefault(IsAnswer));
    }

    protected override async Task<WireMessage> AwaitAsync()
    {
        while (true)
        {
            if (await TakeAsync() is { } response) { return response; }
            server.AwaitWork();
        }
    }
}
