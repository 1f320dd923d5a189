using CoAP.Reliability;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Acknowledgements with guessed message IDs, sent from an address that is not the attacker's.</summary>
public sealed class BlindAcknowledgementsTests : IDisposable
{
    // The network drops datagrams that do not fit into the queue of a socket.
    private const int Batch = 256;

    private const int LastId = MessageIdSource.UnicastCount - 1;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _victim;
    private Resource _state = null!;
    private string _text = "a";

    public BlindAcknowledgementsTests()
    {
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                _state = map.At("state").Observable(keepsFresh: false).Get(_ => Response.Content(_text), HandlerMode.Inline);
                map.At("large").Get(_ => Response.Content(new string('x', 1000)), HandlerMode.Inline);
            },
            new CoapServerSettings { Transmission = new() { AckRandomFactor = 1 }, Amplification = new() { ExemptsLoopback = false } });
        _victim = ScriptedPeer.Client(_wire, "victim");
        _victim.Send("CON [0x0001] GET /state (Token 0x01) {Observe: 0}");
        _victim.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a'");
    }

    public void Dispose()
    {
        _victim.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void All_message_IDs_together_verify_no_address()
    {
        _state.NotifyChanged();
        _victim.TakeAll(seconds: 0);

        AcknowledgeAll();
        _victim.Send("CON [0x0002] GET /large (Token 0x02)");

        _victim.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x02) {Max-Age: 0, Echo: E}");
        _server.Lane.Addresses!.IsVerified(_victim.Self).Should().BeFalse();
    }

    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "7641 7")]
    [InlineData(1, 0), InlineData(1, 1), InlineData(1, 30_000), InlineData(1, LastId), InlineData(1, LastId - 1), InlineData(1, LastId - 2)]
    [InlineData(20, 0), InlineData(20, 30_000), InlineData(20, LastId), InlineData(60, 30_000), InlineData(100, 30_000)]
    public void Blind_acknowledgements_bring_the_victim_less_traffic_than_they_cost(int length, int firstId)
    {
        _server.Lane.MessageIds.Put(_server.Lane.HashOf(new ChannelKey(_victim.Self, _wire.Server)), new MessageId((ushort)firstId));
        var before = Sent;
        for (var round = 0; round < 3; round++)
        {
            _text = new string((char)('b' + round), length);
            _state.NotifyChanged();
            _victim.TakeAll(seconds: 0.1);
            AcknowledgeAll();
        }
        _victim.TakeAll(seconds: 1000);

        (Sent - before).Should().BeLessThan(400, "the attacker has sent 786,432 bytes");
        _state.ObserverCount.Should().Be(0);
    }

    // Client              Server
    //    | CON [X] 2.05       |
    //    |<-------------------+
    //    | ACK [X]            |  pays for the next one
    //    +------------------->|
    [Fact, Trait("RFC", "7641 4.5"), Trait("RFC", "9175 2.4")]
    public void Each_acknowledged_notification_pays_for_the_next_one()
    {
        for (var change = 2; change <= 50; change++)
        {
            var block = (change - 2) * 360 / 256;
            _state.NotifyChanged();
            _victim.Expect($"CON [X{change}] 2.05 Content (Token 0x01) {{Observe: {(block == 0 ? 2 : block << 22 & 0xFFFFFF)}, Content-Format: 0}} 'a'");
            _victim.Send($"ACK [X{change}]");
            _victim.ExpectNothing(seconds: 360);
        }

        _state.ObserverCount.Should().Be(1);
    }

    // Client              Server
    //    | NON [X] 4.01 (Echo)|  sent once
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 4.2"), Trait("RFC", "9175 2.4")]
    public void An_observation_that_outgrows_its_allowance_ends_with_a_message()
    {
        _text = new string('x', 500);
        _state.NotifyChanged();

        _victim.Expect("NON [X] 4.01 Unauthorized (Token 0x01) {Max-Age: 0, Echo: E}");
        _victim.ExpectNothing(seconds: 300);
        _state.ObserverCount.Should().Be(0);
    }

    private int Sent => _wire.Sent(Direction.ToClient).Sum(static datagram => datagram.Bytes.Length);

    private void AcknowledgeAll()
    {
        for (var id = 0; id <= ushort.MaxValue; id++)
        {
            _victim.Send([0x60, 0, (byte)(id >> 8), (byte)id]);
            if (id % Batch == 0) { _victim.TakeAll(seconds: 0); }
        }
        _victim.TakeAll(seconds: 0);
    }
}
