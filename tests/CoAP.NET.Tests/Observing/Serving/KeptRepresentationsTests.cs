using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>The responses that are kept for slow observers are charged to their account.</summary>
public sealed class KeptRepresentationsTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;
    private Resource _resource = null!;

    public KeptRepresentationsTests()
    {
        _client = ScriptedPeer.Client(_wire);
        var settings = new CoapServerSettings { ServerTransfers = new ServerTransferSettings { MaxTotalSize = 2200, MaxBodySize = 2200 } };
        _server = LaneEnd.Server(
            _wire, map => _resource = map.At("r").Observable().Get(static _ => Response.Content(new string('x', 1024)), HandlerMode.Inline), settings);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void An_account_that_has_its_share_loses_the_next_observation()
    {
        _client.Send("CON [0x0001] GET /r?a (Token 0x01) {Observe: 0}");
        _client.Send("CON [0x0002] GET /r?b (Token 0x02) {Observe: 0}");
        _client.TakeAll(seconds: 0);

        _resource.NotifyChanged();
        _client.TakeAll(seconds: 1);
        _client.Send($"ACK [0x{WireMessage.Read(_client.Received[^1]).Id:x4}]");
        _client.TakeAll(seconds: 1);

        _resource.ObserverCount.Should().Be(1);
        _server.Lane.Ledger.Bodies.Used.Should().Be(1024);
    }

    [Fact]
    public void The_charge_ends_with_the_observation()
    {
        _client.Send("CON [0x0001] GET /r?a (Token 0x01) {Observe: 0}");
        _client.TakeAll(seconds: 0);
        _resource.NotifyChanged();
        _client.TakeAll(seconds: 0);

        _client.Send("CON [0x0003] GET /r?a (Token 0x01) {Observe: 1}");
        _client.TakeAll(seconds: 0);

        _resource.ObserverCount.Should().Be(0);
        _server.Lane.Ledger.Bodies.Used.Should().Be(0);
    }
}
