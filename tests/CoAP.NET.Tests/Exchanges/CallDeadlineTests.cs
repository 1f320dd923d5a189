using CoAP.Options;
using CoAP.Tests.Hostile.Malicious;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>The deadlines that end a call over datagrams, in simulated time.</summary>
public sealed class CallDeadlineTests
{
    private static readonly CoapClientSettings Exact = new() { Transmission = new() { AckRandomFactor = 1 } };

    private readonly Wire _wire = new(new ManualClock());

    [Fact]
    public void A_silent_device_ends_a_call_at_its_Timeout()
    {
        var (error, at) = Fail(Get() with { Timeout = Seconds(1) }, static (_, _) => { });

        at.Should().Be(Seconds(1));
        error.Should().BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Acknowledgement, Peer = "server", Request = "GET /x", Elapsed = Seconds(1) });
        error.Message.Should().Contain("GET /x").And.Contain("server").And.Contain("Timeout").And.Contain("acknowledgement");
    }

    [Fact]
    public void A_device_that_only_acknowledges_ends_a_call_after_100_seconds()
    {
        var (error, at) = Fail(Get(), static (server, request) => server.Empty(request, MessageType.Acknowledgement));

        at.Should().Be(Seconds(100));
        error.Should().BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Response, IsAcknowledged = true, Attempts = 1 });
        error.Message.Should().Contain("RequestIdleTimeout").And.Contain("100 s");
    }

    [Fact]
    public void A_block_every_four_minutes_ends_a_call()
    {
        var (error, at) = Fail(Get(), static (server, request) => SlowBlock(server, request, size: 16, every: 240));

        at.Should().Be(Seconds(100));
        error.AwaitedEvent.Should().Be(AwaitedEvent.Response);
    }

    [Fact]
    public void Blocks_of_16_bytes_every_90_seconds_end_a_call_after_ten_minutes_of_body()
    {
        var (error, at) = Fail(Get(), static (server, request) => SlowBlock(server, request, size: 16, every: 90));

        at.Should().Be(Seconds(90 + 600 + 6));
        error.AwaitedEvent.Should().Be(AwaitedEvent.Body);
        error.Message.Should().Contain("MinRate").And.Contain("16 bytes a second and fell 600 s behind");
    }

    [Fact]
    public void An_honest_slow_transfer_of_an_hour_completes()
    {
        using var client = LaneEnd.Client(_wire, Exact);
        using var server = new MaliciousServer(_wire, static (server, request) => SlowBlock(server, request, size: 1024, every: 60, last: 60));

        var call = client.Send(Get());
        _wire.RunUntilIdle(TimeSpan.FromHours(3));

        call.Answer().Payload.Length.Should().Be(61 * 1024);
    }

    [Fact]
    public void Timeout_bounds_a_transfer_that_makes_progress()
    {
        var (error, at) = Fail(Get() with { Timeout = Seconds(100) }, static (server, request) => SlowBlock(server, request, size: 1024, every: 30));

        at.Should().Be(Seconds(100));
        error.AwaitedEvent.Should().Be(AwaitedEvent.Body);
    }

    [Fact]
    public void The_wait_behind_NSTART_counts()
    {
        using var client = LaneEnd.Client(_wire, Exact with { Timeout = TimeSpan.FromSeconds(5) });
        using var server = new MaliciousServer(_wire, static (_, _) => { });
        var calls = new[] { client.Send(Get() with { Timeout = Timeout.InfiniteTimeSpan }), client.Send(Get()) };

        _wire.RunUntil(() => calls[1].IsCompleted);

        _wire.Time.Elapsed.Should().Be(Seconds(5));
        calls[1].Exception!.InnerException.Should().BeOfType<CoapTimeoutException>().Which.Should()
            .BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Turn, Attempts = 0, IsAcknowledged = false });
        calls[0].IsCompleted.Should().BeFalse("its request lifts the client's Timeout");
    }

    [Fact]
    public void The_Timeout_of_the_client_holds_for_requests_without_one()
    {
        var (error, at) = Fail(Get(), static (_, _) => { }, Exact with { Timeout = TimeSpan.FromSeconds(3) });

        at.Should().Be(Seconds(3));
        error.Attempts.Should().Be(2);
    }

    [Fact]
    public void A_long_ResponseTimeout_is_kept()
    {
        var request = Get() with { ResponseTimeout = TimeSpan.FromMinutes(10) };

        var (_, at) = Fail(request, static (server, request) => server.Empty(request, MessageType.Acknowledgement));

        at.Should().Be(TimeSpan.FromMinutes(10));
    }

    [Fact]
    public void A_call_that_its_deadline_ends_leaves_no_state()
    {
        using var client = LaneEnd.Client(_wire, Exact);
        using var server = new MaliciousServer(_wire, static (server, request) => server.Empty(request, MessageType.Acknowledgement));

        var calls = Enumerable.Range(0, 10).Select(_ => client.Send(Get())).ToArray();
        _wire.RunUntilIdle();

        calls.Should().OnlyContain(call => call.IsFaulted);
        client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);

    private static RequestParts Get() => new(RequestCode.Get, "/x");

    private static void SlowBlock(MaliciousServer server, CoapMessage request, int size, double every, int last = int.MaxValue)
    {
        if (!request.Code.IsRequest) { return; }
        var number = request.Options.Get<Block2>()?.BlockNumber ?? 0;
        server.Empty(request, MessageType.Acknowledgement);
        server.Separately(request, ResponseCode.Content, [new Block2(number, number < last, BlockSizeOf(size))], size, every);
    }

    private static int BlockSizeOf(int size) => int.Log2(size) - 4;

    private (CoapTimeoutException Error, TimeSpan At) Fail(
        CoapRequest request, Action<MaliciousServer, CoapMessage> react, CoapClientSettings? settings = null)
    {
        using var client = LaneEnd.Client(_wire, settings ?? Exact);
        using var server = new MaliciousServer(_wire, react);
        var call = client.Send(request);
        _wire.RunUntil(() => call.IsCompleted, TimeSpan.FromHours(10)).Should().BeTrue();
        return (call.Exception!.InnerException.Should().BeOfType<CoapTimeoutException>().Which, _wire.Time.Elapsed);
    }

    /// <summary>The parts of a request that the tests vary.</summary>
    private sealed record RequestParts(CoapCode Method, string Uri)
    {
        public TimeSpan? Timeout { get; init; }

        public TimeSpan? ResponseTimeout { get; init; }

        public static implicit operator CoapRequest(RequestParts parts) =>
            new(parts.Method, parts.Uri) { Timeout = parts.Timeout, ResponseTimeout = parts.ResponseTimeout };
    }
}
