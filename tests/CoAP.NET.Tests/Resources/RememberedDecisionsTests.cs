using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Resources;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>What the end of a connection costs, if many others have decisions on the same lane.</summary>
public sealed class RememberedDecisionsTests : IDisposable
{
    private const int Connections = 50;
    private const int PerConnection = 3;

    private readonly LaneEnd _server = LaneEnd.Server(new Wire(new ManualClock()), static _ => { });

    public void Dispose() => _server.Dispose();

    [Fact]
    public void The_end_of_a_connection_looks_at_no_decisions_of_other_connections()
    {
        var cut = new RememberedDecisions(_server.Lane, TimeSpan.FromMinutes(4));
        var connections = Enumerable.Range(0, Connections).Select(number => new Connection(_server.Lane, number)).ToArray();
        foreach (var connection in connections)
        {
            for (byte i = 0; i < PerConnection; i++) { Add(cut, connection, i); }
        }

        foreach (var connection in connections) { connection.End(); }

        cut.Visits.Should().Be(Connections * PerConnection);
        _server.Lane.Ledger.Bodies.Used.Should().Be(0);
    }

    [Fact]
    public void The_end_of_a_connection_drops_its_decisions_and_no_others()
    {
        var cut = new RememberedDecisions(_server.Lane, TimeSpan.FromMinutes(4));
        var (ends, stays) = (new Connection(_server.Lane, 1), new Connection(_server.Lane, 2));
        foreach (var connection in new[] { ends, stays, ends })
        {
            Add(cut, connection, transfer: 1);
        }

        ends.End();
        ends.End();

        cut.TryGet(ends.Decision(1), out _).Should().BeFalse();
        cut.TryGet(stays.Decision(1), out _).Should().BeTrue();
    }

    private static void Add(RememberedDecisions cut, Connection connection, byte transfer) =>
        cut.Add(connection.Decision(transfer), Account.Of(connection.Name), TimeSpan.FromMinutes(1));

    private sealed class Connection(ExchangeLane lane, int number)
        : LaneChannel(lane, new ChannelKey(PeerIdentity.From($"peer{number}"), PeerIdentity.From("server")))
    {
        public string Name => $"peer{number}";

        public override MessageLimits? Limits => null;

        public DecisionKey Decision(byte transfer) =>
            new(new BodyPeer(Key, this), Identity: null, new OptionKey([transfer], OptionSet.Empty, static _ => true));

        public void End()
        {
            foreach (var follower in Followers) { follower.OnEnded(); }
        }

        public override void Submit(ClientExchange exchange) => throw new NotSupportedException();

        public override void Send(UntrackedRequest request) => throw new NotSupportedException();

        public override void Settle(in ChannelKey key, MessageId messageId) { }

        public override void Release(ClientExchange exchange) { }
    }
}
