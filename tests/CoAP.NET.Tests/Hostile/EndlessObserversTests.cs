using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>One client with very many observations neither fills the stack of a lane nor keeps it busy for ever.</summary>
public sealed class EndlessObserversTests
{
    private readonly Wire _wire = new(new ManualClock());
    private Resource _resource = null!;
    private string _state = "a";

    // The state grows above what an unverified address may get, so that all observations end with an error. Nobody answers to these errors.
    [Fact, Trait("RFC", "7641 4.2")]
    public void Many_observations_of_one_client_that_end_at_once_do_not_fill_the_stack()
    {
        const int Count = 12_000;
        using var server = Serve(new() { Transmission = new() { NStart = 2 }, Amplification = new() { ExemptsLoopback = false } });
        using var client = ScriptedPeer.Client(_wire, "client");
        for (var i = 0; i < Count; i++)
        {
            // The first two bring an allowance that is enough for a notification.
            var padding = i < 2 ? $", 2048: 0x{new string('0', 200)}" : "";
            client.Send($"NON [0x{i + 1:x4}] GET /r (Token 0x{i:x4}) {{Observe: 0{padding}}}");
            client.TakeAll(seconds: 0);
        }
        var registered = _resource.ObserverCount;
        _state = new string('x', 100);
        var before = client.Received.Count;

        _resource.NotifyChanged();
        client.TakeAll(seconds: 0.5);
        (client.Received.Count - before).Should().BeLessThanOrEqualTo(2, "that is NSTART");
        foreach (var notification in client.Received.Skip(before).Select(WireMessage.Read).ToArray()) { client.Send($"ACK [0x{notification.Id:x4}]"); }
        client.TakeAll(seconds: 60);

        registered.Should().BeGreaterThan(10_000);
        _resource.ObserverCount.Should().BeLessThan(registered);
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public async Task A_lane_does_not_try_again_at_once_if_no_message_ID_is_free()
    {
        using var server = Serve(new());
        using var client = ScriptedPeer.Client(_wire, "client");
        client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        client.TakeAll(seconds: 0);
        var key = new ChannelKey(client.Self, _wire.Server);
        var messages = Enumerable.Range(0, 65_536).Select(id => new Unsettled(key, new MessageId((ushort)id))).ToArray();
        foreach (var message in messages) { server.Lane.Exchanges.AddUnsettled(message); }
        var before = client.Received.Count;

        _resource.NotifyChanged();
        await Task.Run(() => client.TakeAll(seconds: 5)).WaitAsync(TimeSpan.FromMinutes(1));
        client.Received.Count.Should().Be(before);

        foreach (var message in messages) { server.Lane.Exchanges.RemoveUnsettled(message); }
        client.TakeAll(seconds: 1.5);
        client.Received.Count.Should().Be(before + 1, "the notification is only late");
    }

    private LaneEnd Serve(CoapServerSettings settings) =>
        LaneEnd.Server(_wire, map => _resource = map.At("r").Observable(keepsFresh: false).Get(_ => Response.Content(_state), HandlerMode.Inline), settings);

    private sealed class Unsettled(ChannelKey key, MessageId id) : IUnsettled
    {
        public ChannelKey Key => key;

        public MessageId MessageId => id;

        public Token Token => default;

        public bool IsCounted => false;

        public void OnAcknowledged()
        {
        }

        public void OnReset()
        {
        }

        public void OnNetworkError(SocketError error)
        {
        }
    }
}
