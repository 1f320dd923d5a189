using CoAP.Datagrams;
using CoAP.Lanes;
using CoAP.Tests.Conformance;
using CoAP.TestSupport;

namespace CoAP.Tests.Datagrams;

/// <summary>NSTART at run time, and retransmission by measured round trips (RFC 7252, section 4.7; draft-ietf-core-cocoa).</summary>
public sealed class CongestionTests : ClientUnderTest
{
    [Fact, Trait("RFC", "7252 4.7")]
    public void A_greater_NSTART_starts_what_waits_and_a_smaller_one_holds_the_next_back()
    {
        for (var i = 1; i <= 4; i++) { _ = Client.Get($"/{i}"); }
        Server.Expect("CON [X1] GET /1 (Token T1)", at: 0);
        Server.ExpectNothing(seconds: 1);

        SetNStart(2);
        Server.Expect("CON [X2] GET /2 (Token T2)", at: 1);
        SetNStart(1);
        Server.Send("ACK [X1]");
        Server.ExpectNothing(seconds: 0.5);
        Server.Send("ACK [X2]");

        Server.Expect("CON [X3] GET /3 (Token T3)", at: 1.5);
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void NSTART_is_remembered_before_and_after_the_peer_has_an_object_until_it_is_taken_back()
    {
        SetNStart(2);
        for (var i = 1; i <= 3; i++) { _ = Client.Get($"/{i}"); }
        Server.Expect("CON [X1] GET /1 (Token T1)", at: 0);
        Server.Expect("CON [X2] GET /2 (Token T2)", at: 0);

        SetNStart(null);
        Server.Send("ACK [X1]");

        Server.ExpectNothing(seconds: 0.5);
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void NSTART_of_one_peer_is_not_that_of_another()
    {
        using var other = ScriptedPeer.Server(Wire, "other");
        SetNStart(5);
        _ = Client.Send(new CoapRequest(RequestCode.Get, "/1"), to: other.Self);
        _ = Client.Send(new CoapRequest(RequestCode.Get, "/2"), to: other.Self);

        other.Expect("CON [X1] GET /1 (Token T1)", at: 0);

        other.ExpectNothing(seconds: 1);
    }

    [Theory]
    [InlineData(0), InlineData(-1), InlineData(32_769)]
    public void An_NSTART_that_makes_no_sense_is_refused_at_the_call(int nStart)
    {
        using var client = new CoapClient();

        client.Invoking(one => one.SetNStart(PeerIdentity.From("peer"), nStart)).Should().Throw<ArgumentOutOfRangeException>();
    }

    // Round trips of 0.2 s: E_strong 0.6 and RTO 1.3; RTTVAR 0.075, E_strong 0.5 and RTO 0.9, which is below 1 s: three times.
    // Client              Server
    //    | CON [X] GET        |
    //    +----X               |  0.4
    //    +----X               |  0.4 + 0.9
    //    +----X               |  0.4 + 0.9 + 2.7
    [Fact]
    public void The_timeout_follows_the_round_trips()
    {
        var (client, server) = Adaptive(out var wire);
        using var first = client;
        using var second = server;
        Exchange(client, server, wire, after: 0.2);
        Exchange(client, server, wire, after: 0.2);
        Channel(client).RoundTripEstimate.Should().Be(TimeSpan.FromSeconds(0.2).Ticks);

        var lost = client.Get("/lost");

        foreach (var at in new[] { 0.4, 1.3, 4, 12.1 }) { server.Expect("CON [X] GET /lost (Token T)", at); }
        wire.RunUntilIdle();
        lost.Invoking(call => call.Answer()).Should().Throw<CoapTimeoutException>();
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void By_default_the_timeout_is_fixed_and_round_trips_are_still_measured()
    {
        Exchange(Client, Server, Wire, after: 0.2);
        Channel(Client).RoundTripEstimate.Should().Be(TimeSpan.FromSeconds(0.2).Ticks);

        _ = Client.Get("/lost");

        foreach (var at in new[] { 0.2, 2.2, 6.2, 14.2, 30.2 }) { Server.Expect("CON [X] GET /lost (Token T)", at); }
    }

    [Fact]
    public void A_request_uses_its_own_transmission_parameters()
    {
        var (client, server) = Adaptive(out var wire);
        using var first = client;
        using var second = server;
        Exchange(client, server, wire, after: 0.2);

        _ = client.Send(new CoapRequest(RequestCode.Get, "/lost") { Transmission = new() { AckTimeout = TimeSpan.FromSeconds(4), AckRandomFactor = 1 } });

        foreach (var at in new[] { 0.2, 4.2, 12.2 }) { server.Expect("CON [X] GET /lost (Token T)", at); }
    }

    // The first is sent at 0 and 2 s and acknowledged at 2.4 s, as above: E_weak 3.6 and RTO 2.4.
    [Fact]
    public void An_acknowledgement_after_a_retransmission_counts_weakly()
    {
        var (client, server) = Adaptive(out var wire);
        using var first = client;
        using var second = server;
        _ = client.Get("/first");
        server.Expect("CON [X] GET /first (Token T)", at: 0);
        server.Expect("CON [X] GET /first (Token T)", at: 2);
        server.ExpectNothing(seconds: 0.4);
        server.Send("ACK [X] 2.05 Content (Token T) '1'");
        wire.RunFor(TimeSpan.Zero);

        _ = client.Get("/lost");

        foreach (var at in new[] { 2.4, 4.8, 9.6 }) { server.Expect("CON [Y] GET /lost (Token U)", at); }
    }

    private static void Exchange(LaneEnd client, ScriptedPeer server, Wire wire, double after)
    {
        var call = client.Get("/one");
        var turn = (int)wire.Time.Elapsed.TotalMilliseconds;
        server.Expect($"CON [M{turn}] GET /one (Token N{turn})");
        server.ExpectNothing(after);
        server.Send($"ACK [M{turn}] 2.05 Content (Token N{turn}) '1'");
        wire.RunUntil(() => call.IsCompleted);
    }

    private static DatagramChannel Channel(LaneEnd client) => client.Lane.Channels.All.OfType<DatagramChannel>().Single();

    private static (LaneEnd Client, ScriptedPeer Server) Adaptive(out Wire wire)
    {
        wire = new Wire(new ManualClock());
        return (LaneEnd.Client(wire, Settings with { Congestion = CongestionMode.Adaptive }), ScriptedPeer.Server(wire));
    }

    private void SetNStart(int? nStart) => Client.Lane.Post(new LaneAction(() => Client.Lane.Channels.SetNStart(Server.Self, nStart)));
}
