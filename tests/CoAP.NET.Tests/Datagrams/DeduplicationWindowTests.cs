using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Datagrams;

/// <summary>How long duplicates are in fact recognized, as the metric "coap.deduplication.window" tells it.</summary>
public sealed class DeduplicationWindowTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;

    public DeduplicationWindowTests()
    {
        _client = ScriptedPeer.Client(_wire);
        var settings = new CoapServerSettings { Deduplication = new() { Capacity = 16 } };
        _server = LaneEnd.Server(_wire, static resources => resources.At("a").Get(static _ => Response.Changed, HandlerMode.Inline), settings);
    }

    private TimeSpan Window => TimeSpan.FromTicks(_server.Lane.Metrics[LaneCounters.DeduplicationWindow]);

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7252 4.5")]
    public void The_window_grows_to_the_exchange_lifetime_while_there_is_room()
    {
        for (var id = 1; id <= 10; id++) { Ask(id, seconds: 30); }

        Window.Should().Be(TimeSpan.FromSeconds(247), "that is EXCHANGE_LIFETIME, and it is over for the first of ten requests, one every 30 s");
    }

    [Fact]
    public void The_window_is_limited_by_the_capacity()
    {
        for (var id = 1; id <= 100; id++) { Ask(id, seconds: 2); }

        Window.Should().BeCloseTo(
            TimeSpan.FromSeconds(24), TimeSpan.FromSeconds(2), "12 of 16 messages are kept for verified peers, one comes every 2 s");
    }

    private void Ask(int id, int seconds)
    {
        _client.Send($"CON [0x{id:x4}] GET /a (Token 0x{id:x2})");
        _client.Expect($"ACK [0x{id:x4}] 2.04 Changed (Token 0x{id:x2})");
        _wire.RunFor(TimeSpan.FromSeconds(seconds));
    }
}
