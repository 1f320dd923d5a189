using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Congestion control: NSTART, the queue behind it, and PROBING_RATE (RFC 7252, sections 4.6 and 4.7).</summary>
public sealed class Rfc7252Section4_7Tests : ClientUnderTest
{
    // Client              Server
    //    | CON [X] GET /one   |
    //    +------------------->|
    //    |                    |  /two waits: NSTART is 1
    //    | ACK [X] 2.05       |
    //    |<-------------------+
    //    | CON [Y] GET /two   |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 4.7")]
    public void A_second_request_waits_until_the_first_is_answered()
    {
        _ = Client.Get("/one");
        var second = Client.Get("/two");

        Server.Expect("CON [X] GET /one (Token T)", at: 0);
        Server.ExpectNothing(seconds: 1);
        Server.Send("ACK [X] 2.05 Content (Token T) '1'");
        Server.Expect("CON [Y] GET /two (Token U)", at: 1);
        Server.Send("ACK [Y] 2.05 Content (Token U) '2'");
        Wire.RunUntilIdle();

        second.Answer().PayloadText.Should().Be("2");
        Client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Theory, Trait("RFC", "7252 4.7")]
    [InlineData("ACK [X]"), InlineData("RST [X]")]
    public void An_empty_acknowledgement_or_a_Reset_makes_room_for_the_next_request(string message)
    {
        _ = Client.Get("/one");
        _ = Client.Get("/two");

        Server.Expect("CON [X] GET /one (Token T)", at: 0);
        Server.Send(message);

        Server.Expect("CON [Y] GET /two (Token U)", at: 0);
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void A_timeout_makes_room_for_the_next_request()
    {
        _ = Client.Get("/one");
        _ = Client.Get("/two");

        foreach (var at in new[] { 0, 2, 6, 14, 30 }) { Server.Expect("CON [X] GET /one (Token T)", at); }

        Server.Expect("CON [Y] GET /two (Token U)", at: 62);
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void A_cancelled_request_makes_room_for_the_next_and_is_not_sent_again()
    {
        using var cancellation = new CancellationTokenSource();
        var first = Client.Send(new CoapRequest(RequestCode.Get, "/one"), cancellationToken: cancellation.Token);
        _ = Client.Get("/two");

        Server.Expect("CON [X] GET /one (Token T)", at: 0);
        cancellation.Cancel();

        Server.Expect("CON [Y] GET /two (Token U)", at: 0);
        Server.Expect("CON [Y] GET /two (Token U)", at: 2);
        first.IsCanceled.Should().BeTrue();
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void A_request_that_is_cancelled_while_it_waits_is_never_sent()
    {
        using var cancellation = new CancellationTokenSource();
        _ = Client.Get("/one");
        var second = Client.Send(new CoapRequest(RequestCode.Get, "/two"), cancellationToken: cancellation.Token);
        _ = Client.Get("/three");

        Server.Expect("CON [X] GET /one (Token T)");
        cancellation.Cancel();
        Server.Send("ACK [X]");

        Server.Expect("CON [Y] GET /three (Token U)", at: 0);
        second.IsCanceled.Should().BeTrue();
    }

    // Client              Server      Other server
    //    | CON [X] GET        |            |
    //    +----X               |            |
    //    | CON [Y] GET                     |
    //    +-------------------------------->|  at once
    [Fact, Trait("RFC", "7252 4.7")]
    public void A_slow_peer_does_not_hold_back_another()
    {
        using var other = ScriptedPeer.Server(Wire, "other");
        _ = Client.Get("/one");
        _ = Client.Get("/two");
        _ = Client.Send(new CoapRequest(RequestCode.Get, "/three"), to: other.Self);

        Server.Expect("CON [X] GET /one (Token T)", at: 0);
        other.Expect("CON [Y] GET /three (Token U)", at: 0);
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void With_a_greater_NSTART_that_many_requests_are_outstanding()
    {
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire, Settings with { Transmission = new() { NStart = 3, AckRandomFactor = 1 } });
        using var server = ScriptedPeer.Server(wire);
        for (var i = 1; i <= 4; i++) { _ = client.Get($"/{i}"); }

        server.Expect("CON [X1] GET /1 (Token T1)", at: 0);
        server.Expect("CON [X2] GET /2 (Token T2)", at: 0);
        server.Expect("CON [X3] GET /3 (Token T3)", at: 0);
        server.ExpectNothing(seconds: 1);
        server.Send("ACK [X2]");

        server.Expect("CON [X4] GET /4 (Token T4)", at: 1);
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void A_full_queue_fails_the_next_request_at_once()
    {
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire, Settings with { MaxQueuedRequests = 2 });
        using var server = ScriptedPeer.Server(wire);
        var calls = Enumerable.Range(1, 4).Select(number => client.Get($"/{number}")).ToList();

        server.Expect("CON [X] GET /1 (Token T)", at: 0);

        calls.Take(3).Should().OnlyContain(call => !call.IsCompleted);
        calls[3].Invoking(call => call.Answer()).Should().Throw<CoapBusyException>().WithMessage("*2 requests to server wait*");
    }

    // Client              Server
    //    | NON [X] GET /one   |
    //    +------------------->|
    //    | CON [Y] GET /two   |  after ACK_TIMEOUT * ACK_RANDOM_FACTOR, when a confirmable one would have been sent again
    //    +------------------->|
    //    | NON 2.05 /one      |
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 4.7")]
    public void A_non_confirmable_request_that_nobody_answers_makes_room_for_the_next_and_still_takes_its_response()
    {
        var first = Client.Get("/one", confirmable: false);
        _ = Client.Get("/two");
        Server.Expect("NON [X] GET /one (Token T)", at: 0);
        Server.Expect("CON [Y] GET /two (Token U)", at: 2);
        Server.Send("ACK [Y] 2.05 Content (Token U) '2'");
        Server.ExpectNothing(seconds: 100);

        Server.Send("NON [0x0777] 2.05 Content (Token T) '1'");
        Wire.RunUntilIdle();

        first.Answer().PayloadText.Should().Be("1");
        Client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void A_non_confirmable_request_that_has_made_room_times_out_when_it_would_have_anyway()
    {
        var first = Client.Send(new CoapRequest(RequestCode.Get, "/one") { IsConfirmable = false, ResponseTimeout = TimeSpan.FromSeconds(5) });
        Server.Expect("NON [X] GET /one (Token T)", at: 0);

        Server.ExpectNothing(seconds: 4.9);
        first.IsCompleted.Should().BeFalse();
        Server.ExpectNothing(seconds: 0.1);

        first.Invoking(call => call.Answer()).Should().Throw<CoapTimeoutException>();
    }

    // PROBING_RATE: 1 byte a second on average to an endpoint that does not respond, after a first burst of 256 bytes.
    [Fact, Trait("RFC", "7252 4.7")]
    public void Non_confirmable_requests_to_a_silent_peer_keep_to_PROBING_RATE()
    {
        var client = Probe(out var server, requests: 100);

        server.TakeAll(seconds: 600);

        var bytes = server.Received.Sum(message => message.Length);
        bytes.Should().BeInRange(600, 256 + 600 + 2 * server.Received[0].Length);
        client.Dispose();
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void A_peer_that_answers_is_not_slowed_down()
    {
        var client = Probe(out var server, requests: 100);
        server.TakeAll(seconds: 0);
        var before = server.Received.Count;

        server.Send("CON [0x0001]");
        server.TakeAll(seconds: 0);

        server.Received.Count.Should().BeGreaterThan(before + 1, "the bucket is full again");
        client.Dispose();
    }

    [Fact, Trait("RFC", "7252 4.6")]
    public void A_request_whose_options_leave_no_room_in_1152_bytes_is_refused_at_the_call()
    {
        var large = new CoapRequest(RequestCode.Post, "/x") { Options = [.. Enumerable.Repeat(new UriQuery(new string('q', 255)), 5)], Payload = new byte[16] };

        FluentActions.Invoking(() => { _ = Client.Send(large); }).Should().Throw<ArgumentException>().WithMessage("*at most 1152*");
    }

    private static LaneEnd Probe(out ScriptedPeer server, int requests)
    {
        var wire = new Wire(new ManualClock());
        var client = LaneEnd.Client(wire, Settings with { Transmission = new() { NStart = 1000 } });
        server = ScriptedPeer.Server(wire);
        for (var i = 0; i < requests; i++) { _ = client.Get("/probe", confirmable: false); }
        return client;
    }
}
