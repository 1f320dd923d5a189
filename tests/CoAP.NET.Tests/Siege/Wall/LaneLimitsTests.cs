using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>The limits that each lane shares among accounts by itself: answers without an acknowledgement, and answers that wait for their leisure.</summary>
public sealed class LaneLimitsTests : IDisposable
{
    private const int Limit = 64;
    private const int Attempts = 80;
    private const string Group = "224.0.1.187";

    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly WirePeers _peers;
    private readonly LaneEnd _server;
    private int _lastId;

    public LaneLimitsTests() => (_peers, _server) = (new(_wire), LaneEnd.Server(
        _wire,
        map =>
        {
            map.At("late").Get(_late.HandleAsync);
            map.At("state").Get(static _ => Response.Content("a"), HandlerMode.Inline).AnswersMulticast();
            map.At("large").Get(static _ => Response.Content(new string('x', 5000)), HandlerMode.Inline);
        },
        new CoapServerSettings
        {
            MaxPendingRequests = Limit,
            Multicast = new() { MaxPendingAnswers = Limit },
            Amplification = new() { ExemptsLoopback = false },
            Ledger = new() { AccountOf = static (peer, _) => peer.ToString().StartsWith("attacker", StringComparison.Ordinal) ? Account.Of("attacker") : null },
        }));

    public void Dispose()
    {
        _peers.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void An_honest_peer_gets_a_confirmable_answer_while_others_acknowledge_none()
    {
        for (var i = 0; i < Attempts; i++) { AskLate($"attacker{i}"); }
        _server.Lane.Ledger.SeparateAnswers.Used.Should().Be(Limit / 2);

        AskLate("honest").Type.Should().Be(0, "it is confirmable");
        _server.Lane.Ledger.SeparateAnswers.HeldBy(Account.Of("honest")).Should().Be(1);
        AskLate("attacker").Type.Should().Be(1, "it is sent once");

        _wire.RunFor(TimeSpan.FromSeconds(120));
        (_server.Lane.Ledger.SeparateAnswers.Used, _server.Lane.Ledger.SeparateAnswers.Count).Should().Be((0, 0));
    }

    [Theory]
    [InlineData("forged"), InlineData("attacker")]
    public void An_honest_peer_gets_answers_from_a_group_while_those_to_others_wait(string name)
    {
        for (var i = 0; i < Attempts; i++) { AskGroup(_peers.Join($"{name}{i}", isProven: name == "attacker")); }
        var honest = _peers.Join("honest", isProven: true);
        AskGroup(honest);
        _server.Lane.PendingRequests.Should().Be((name == "attacker" ? Limit / 2 : Limit / 8) + 1);

        honest.TakeAll(seconds: 6);

        WireMessage.Read(honest.Received[^1]).Payload.Should().Equal((byte)'a');
        _server.Lane.PendingRequests.Should().Be(0);
    }

    // There are 8 places for unverified senders. Without a shorter leisure they would be enough for 3 requests per second.
    [Theory]
    [InlineData(10, 15), InlineData(20, 10), InlineData(100, 3)]
    public void An_honest_peer_without_a_proven_address_gets_answers_from_a_group_during_a_flood(int forgedPerSecond, int least)
    {
        var honest = new List<ScriptedPeer>();
        for (var i = 0; i < 20; i++)
        {
            for (var j = 0; j < forgedPerSecond; j++)
            {
                AskGroup(_peers.Join($"forged{i}.{j}", isProven: false));
                if (j == forgedPerSecond / 2) { AskGroup(Joined(honest)); }
                _wire.RunFor(TimeSpan.FromSeconds(1.0 / forgedPerSecond));
            }
        }
        _wire.RunFor(TimeSpan.FromSeconds(6));

        var answered = honest.Count(peer => _wire.Sent(Direction.ToClient).Any(one => one.To == peer.Self));
        answered.Should().BeGreaterThanOrEqualTo(least);
        _server.Lane.PendingRequests.Should().Be(0);
        _server.Lane.Ledger.GroupAnswers.Used.Should().Be(0);
    }

    private ScriptedPeer Joined(List<ScriptedPeer> peers)
    {
        peers.Add(_peers.Join($"honest{peers.Count}", isProven: false));
        return peers[^1];
    }

    private void AskGroup(ScriptedPeer peer)
    {
        peer.TalkTo(Group);
        peer.Send($"NON [0x{++_lastId:x4}] GET /state (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
    }

    // The handler takes longer than the acknowledgement waits.
    private WireMessage AskLate(string name)
    {
        var peer = _peers.Join(name, isProven: true);
        peer.Send("CON [0x0003] GET /late (Token 0x01)");
        peer.TakeAll(seconds: 0.3);
        _late.Answer(Response.Content("late"));
        peer.TakeAll(seconds: 0);
        return WireMessage.Read(peer.Received[^1]);
    }
}
