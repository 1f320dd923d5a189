using CoAP.TestSupport;

namespace CoAP.Tests.Lanes;

/// <summary>Cancellation and the end: whoever waits is woken.</summary>
public sealed class LaneEndingTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _client;
    private readonly ScriptedPeer _server;

    public LaneEndingTests()
    {
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Deduplication = new() { Capacity = 64 } });
        _server = ScriptedPeer.Server(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void The_end_fails_what_was_sent_what_waits_behind_it_and_what_comes_later(bool confirmable)
    {
        var calls = Enumerable.Range(0, 10).Select(number => _client.Get($"/{number}", confirmable)).ToList();
        _wire.RunUntilIdle(TimeSpan.Zero);
        calls.Add(_client.Get("/in-the-inbox", confirmable));

        _client.Dispose();
        calls.Add(_client.Get("/too-late", confirmable));

        calls.Should().OnlyContain(call => call.IsFaulted && call.Exception!.InnerException is CoapTransportException);
        _wire.Sent(Direction.ToServer).Should().HaveCount(1, "nothing is sent only to be given up");
    }

    [Fact]
    public void The_end_fails_requests_that_the_probing_rate_holds_back()
    {
        using var client = LaneEnd.Client(_wire, new CoapClientSettings { Transmission = new() { NStart = 100 } }, "prober");
        var calls = Enumerable.Range(0, 50).Select(_ => client.Get("/probe", confirmable: false)).ToList();
        _wire.RunUntilIdle(TimeSpan.Zero);

        client.Dispose();

        calls.Should().OnlyContain(call => call.IsFaulted && call.Exception!.InnerException is CoapTransportException);
    }

    [Fact]
    public async Task The_end_wakes_callers_that_are_parked()
    {
        var callers = Enumerable.Range(0, 4).Select(_ => Parked(CancellationToken.None)).ToList();
        _server.Expect("CON [X] GET /parked (Token T)");

        _client.Dispose();

        foreach (var caller in callers) { await caller.Awaiting(one => one).Should().ThrowAsync<CoapTransportException>(); }
    }

    [Fact]
    public async Task Cancellation_wakes_a_parked_caller_and_leaves_nothing_behind()
    {
        using var cancellation = new CancellationTokenSource();
        var caller = Parked(cancellation.Token);
        _server.Expect("CON [X] GET /parked (Token T)");

        await cancellation.CancelAsync();

        await caller.Awaiting(one => one).Should().ThrowAsync<OperationCanceledException>();
        _server.ExpectNothing(seconds: 600);
        _client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    public async Task A_parked_caller_gets_the_response_and_exceptions_as_an_awaiting_one_does()
    {
        var first = Parked(CancellationToken.None);
        _server.Expect("CON [X] GET /parked (Token T)");
        _server.Send("ACK [X] 2.05 Content (Token T) 'here'");
        _server.ExpectNothing(seconds: 1);
        var second = Parked(CancellationToken.None);
        _server.Expect("CON [Y] GET /parked (Token U)");
        _server.Send("RST [Y]");
        _server.ExpectNothing(seconds: 1);

        (await first).PayloadText.Should().Be("here");
        await second.Awaiting(one => one).Should().ThrowAsync<CoapResetException>();
    }

    [Fact]
    public void A_token_that_has_fired_already_stops_the_call_itself()
    {
        var fired = new CancellationToken(canceled: true);

        FluentActions.Invoking(() => { _ = _client.Send(new CoapRequest(RequestCode.Get, "/x"), cancellationToken: fired); })
            .Should().Throw<OperationCanceledException>();
        _wire.Sent(Direction.ToServer).Should().BeEmpty();
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void Cancellation_at_any_point_leaves_nothing_behind(bool acknowledged)
    {
        using var cancellation = new CancellationTokenSource();
        var call = _client.Send(new CoapRequest(RequestCode.Get, "/x"), cancellationToken: cancellation.Token);
        _server.Expect("CON [X] GET /x (Token T)");
        if (acknowledged) { _server.Send("ACK [X]"); }
        _server.ExpectNothing(seconds: 1);

        cancellation.Cancel();
        _server.ExpectNothing(seconds: 1);
        _server.Send("CON [0x0101] 2.05 Content (Token T) 'too late'");
        _server.Expect("RST [0x0101]");
        _wire.RunUntilIdle();

        call.IsCanceled.Should().BeTrue();
        _client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    private Task<CoapResponse> Parked(CancellationToken cancellationToken)
    {
        var caller = Task.Factory.StartNew(
            () => _client.ChannelTo(_wire.Server).Send(new CoapRequest(RequestCode.Get, "/parked"), cancellationToken),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        _client.AwaitWork();
        return caller.WaitAsync(TimeSpan.FromMinutes(1), CancellationToken.None);     // of real time: a caller who is never woken fails the test
    }
}
