using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Sessions;

/// <summary>Records wait for the proof of a new address, but those of all sessions of a lane not without a limit.</summary>
public sealed class HeldRecordTests
{
    private static readonly ChannelKey Home = At("home"), Away = At("away"), Third = At("third");

    private readonly HeldRecordBudget _budget = new();

    [Theory, InlineData(0), InlineData(100), InlineData(1100)]
    public void The_records_of_all_sessions_of_a_lane_are_limited_together(int length)
    {
        var paths = FillLane(length);

        var held = paths.Sum(static path => path.Attempt!.Held.Sum(static record => HeldRecordBudget.CostOf(record.Length)));
        held.Should().BeInRange((int)HeldRecordBudget.MostBytes - HeldRecordBudget.CostOf(length), (int)HeldRecordBudget.MostBytes);
        _budget.Bytes.Should().Be(held);
    }

    [Theory, InlineData("proof"), InlineData("failure"), InlineData("return"), InlineData("another address")]
    [Trait("RFC", "9853 5")]
    public void The_end_of_an_attempt_makes_room_for_the_records_of_others(string end)
    {
        var paths = FillLane(length: 1000);
        var other = NewPath();
        other.TryAdd(new byte[1000], out _);
        other.Attempt!.Held.Should().BeEmpty();

        if (end == "proof") { paths[0].Prove().Should().HaveCount(4); }
        else if (end == "failure") { paths[0].GiveUp(); }
        else if (end == "return") { paths[0].Hear(Home, 0, default, _budget); }
        else { paths[0].Hear(Third, 0, default, _budget); }

        for (var i = 0; i < 4; i++) { other.TryAdd(new byte[1000], out _); }
        other.Attempt.Held.Should().HaveCount(4);
    }

    [Fact]
    public void The_end_of_a_session_makes_room_for_the_records_of_others()
    {
        var keys = KeyBlock.Derive(CipherSuite.Find(0xC0A8)!, new byte[48], new byte[32], new byte[32]);
        var peer = new SecuredPeer(Home, Home, new DtlsSession(keys, isServer: true, default));
        peer.Path.Hear(Away, bytes: 0, now: default, _budget);
        peer.Path.TryAdd(new byte[1000], out _);
        _budget.Bytes.Should().Be(HeldRecordBudget.CostOf(1000));

        peer.End();

        _budget.Bytes.Should().Be(0);
    }

    [Fact]
    public void A_session_that_holds_four_records_replaces_its_oldest_even_without_room()
    {
        var paths = FillLane(length: 1000);
        var newest = new byte[1000];
        newest[0] = 1;

        paths[0].TryAdd(newest, out _);

        paths[0].Prove().Select(static record => record[0]).Should().Equal(0, 0, 0, 1);
    }

    [Fact]
    public void Nothing_is_in_use_when_all_attempts_have_ended()
    {
        var paths = FillLane(length: 1000);

        for (var i = 0; i < paths.Length; i++)
        {
            paths[i].TryAdd(new byte[i % 2000], out _);
            if (i % 2 == 0) { paths[i].Prove(); }
            else { paths[i].GiveUp(); }
        }

        _budget.Bytes.Should().Be(0);
    }

    // More sessions than there is room for.
    private PeerPath[] FillLane(int length)
    {
        var paths = new PeerPath[1 + (HeldRecordBudget.MostBytes / HeldRecordBudget.CostOf(length))];
        for (var i = 0; i < paths.Length; i++)
        {
            paths[i] = NewPath();
            for (var record = 0; record < 4; record++) { paths[i].TryAdd(new byte[length], out _); }
        }
        return paths;
    }

    private PeerPath NewPath()
    {
        var path = new PeerPath(Home);
        path.Hear(Away, bytes: 0, now: default, _budget);
        path.Spend(Away, bytes: 1);
        return path;
    }

    private static ChannelKey At(string name) => new(PeerIdentity.From(name), default);
}
