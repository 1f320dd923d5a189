using System.Net.Sockets;

namespace CoAP.Tests.Streams;

/// <summary>What a client does after an attempt to connect has failed. The server's bytes are the test's, the time is simulated.</summary>
public sealed class StreamReconnectTests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://raw-server/hi";

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly CoapClient _client;
    private RawServer? _server;

    public StreamReconnectTests() => _client = NewClient(new());

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _server?.Dispose();
    }

    // Client                     (nobody)
    //   | connect, at 0 s           |
    //   +-------------------------->X   the first request fails with the reason of the network
    //   |                           |   the second one waits, 50 to 100 ms
    //   |                        Server
    //   | connect                   |
    //   +-------------------------->|
    //   | GET                       |
    //   +-------------------------->|
    //   |<--------------------------+ 2.05
    [Theory, InlineData(false), InlineData(true)]
    public async Task The_request_after_a_failure_waits_and_is_answered_by_a_server_that_came_up(bool isSync)
    {
        await FailAsync(_client, isSync);
        var timers = _time.TimerCount;
        var next = Begin(_client, isSync);
        await _time.WhenTimersAsync(timers + 1).WaitAsync(RawPeer.Patience);
        _server = new RawServer(_network);

        var tooEarly = _server.Accepted;
        _time.Advance(TimeSpan.FromMilliseconds(49));
        var stillTooEarly = _server.Accepted;
        _time.Advance(TimeSpan.FromMilliseconds(52));

        (await AnswerAsync(next)).PayloadText.Should().Be("ok");
        (tooEarly, stillTooEarly).Should().Be((0, 0));
    }

    [Fact]
    public async Task All_who_wait_share_one_attempt_sync_and_async()
    {
        await FailAsync(_client, isSync: false);
        var timers = _time.TimerCount;
        var calls = Enumerable.Range(0, 12).Select(i => Begin(_client, isSync: i % 2 == 0)).ToArray();
        await _time.WhenTimersAsync(timers + 1).WaitAsync(RawPeer.Patience);
        _server = new RawServer(_network);

        _time.Advance(TimeSpan.FromMilliseconds(101));
        using var peer = await _server.OpenAsync();
        foreach (var _ in calls) { peer.Send(Answer((await peer.ReadAsync())!)); }
        await Task.WhenAll(calls).WaitAsync(RawPeer.Patience);

        _server.Accepted.Should().Be(1);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Without_patience_a_request_fails_at_once_and_says_when_the_next_attempt_is(bool isSync)
    {
        await using var client = NewClient(new() { MaxRequestWait = TimeSpan.Zero, InitialDelay = TimeSpan.FromSeconds(8) });
        await FailAsync(client, isSync);

        var error = await FailAsync(client, isSync);
        _time.Advance(TimeSpan.FromSeconds(8));
        var after = await FailAsync(client, isSync);

        error.RetryAfter.Should().BeGreaterThan(TimeSpan.FromSeconds(4)).And.BeLessThanOrEqualTo(TimeSpan.FromSeconds(8));
        error.Message.Should().MatchRegex(@"next attempt to connect to raw-server is made in \d(\.\d)? s").And.Contain("refused");
        error.InnerException.Should().BeOfType<SocketException>();
        after.RetryAfter.Should().BeNull("this one was an attempt");
    }

    [Fact]
    public async Task A_request_does_not_wait_where_the_next_attempt_is_further_away_than_its_patience()
    {
        await using var client = NewClient(new() { MaxRequestWait = TimeSpan.FromSeconds(10), InitialDelay = TimeSpan.FromSeconds(24) });
        await FailAsync(client, isSync: false);

        var tooFar = await FailAsync(client, isSync: false);
        _time.Advance(tooFar.RetryAfter!.Value - TimeSpan.FromSeconds(10));
        var timers = _time.TimerCount;
        var near = Begin(client, isSync: false);
        await _time.WhenTimersAsync(timers + 1).WaitAsync(RawPeer.Patience);
        _time.Advance(TimeSpan.FromSeconds(10));

        (await near.Invoking(call => call.WaitAsync(RawPeer.Patience)).Should().ThrowAsync<CoapTransportException>()).Which.RetryAfter.Should().BeNull();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_waiting_caller_can_be_cancelled(bool isSync)
    {
        await FailAsync(_client, isSync);
        using var cancel = new CancellationTokenSource();
        var timers = _time.TimerCount;
        var waiting = Begin(_client, isSync, cancel.Token);
        await _time.WhenTimersAsync(timers + 1).WaitAsync(RawPeer.Patience);

        await cancel.CancelAsync();

        await waiting.Invoking(call => call.WaitAsync(RawPeer.Patience)).Should().ThrowAsync<OperationCanceledException>();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_end_of_the_client_ends_the_wait(bool isSync)
    {
        await FailAsync(_client, isSync);
        var timers = _time.TimerCount;
        var waiting = Begin(_client, isSync);
        await _time.WhenTimersAsync(timers + 1).WaitAsync(RawPeer.Patience);

        await _client.DisposeAsync().AsTask().WaitAsync(RawPeer.Patience);

        await waiting.Invoking(call => call.WaitAsync(RawPeer.Patience)).Should().ThrowAsync<CoapTransportException>().WithMessage("The client was disposed*");
    }

    [Fact]
    public async Task Connections_that_end_before_the_server_says_anything_count_as_failures()
    {
        _server = new RawServer(_network);
        await using var client = NewClient(new() { MaxRequestWait = TimeSpan.Zero, InitialDelay = TimeSpan.FromSeconds(8) });
        var first = Begin(client, isSync: false);
        using (await _server.OpenAsync()) { }
        await first.Invoking(call => call.WaitAsync(RawPeer.Patience)).Should().ThrowAsync<CoapTransportException>();

        var error = await FailAsync(client, isSync: false);

        error.RetryAfter.Should().NotBeNull();
        error.Message.Should().Contain("it ended soon");
        _server.Accepted.Should().Be(1);
    }

    [Fact]
    public async Task A_connection_that_served_requests_is_replaced_at_once_and_resets_the_back_off()
    {
        await FailAsync(_client, isSync: false);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        _server = new RawServer(_network);
        for (var i = 0; i < 5; i++)
        {
            var call = Begin(_client, isSync: false);
            using var peer = await _server.OpenAsync();
            peer.Send(Answer((await peer.ReadAsync())!));
            await call.WaitAsync(RawPeer.Patience);
            peer.EndSending();
            while (await peer.ReadAsync() is not null) { }
        }

        _server.Accepted.Should().Be(5, "no time has passed");
    }

    [Fact]
    public async Task A_connection_that_lasted_is_not_a_failure_even_if_it_was_silent()
    {
        _server = new RawServer(_network);
        var first = Begin(_client, isSync: false);
        using (var peer = await _server.OpenAsync())
        {
            // The Pong ends the turn of the lane: it looks at the clock again before it sees the end of the connection.
            peer.Send("00 e2");
            await peer.ReadAsync(2);
            _time.Advance(TimeSpan.FromSeconds(5));
        }
        await first.Invoking(call => call.WaitAsync(RawPeer.Patience)).Should().ThrowAsync<CoapTransportException>();

        var next = Begin(_client, isSync: false);

        (await AnswerAsync(next)).PayloadText.Should().Be("ok");
    }

    [Fact]
    public async Task Another_endpoint_is_reached_meanwhile()
    {
        _server = new RawServer(_network);
        await using var client = NewClient(new() { MaxRequestWait = TimeSpan.Zero });
        await client.Invoking(one => one.GetAsync("coap+tcp://nobody/").AsTask()).Should().ThrowAsync<CoapTransportException>();

        var call = Begin(client, isSync: false);

        (await AnswerAsync(call)).PayloadText.Should().Be("ok");
    }

    private CoapClient NewClient(ReconnectSettings reconnecting) => new(new() { Network = _network, TimeProvider = _time, Reconnect = reconnecting });

    private static Task<CoapResponse> Begin(CoapClient client, bool isSync, CancellationToken cancellationToken = default) => isSync
        ? Task.Factory.StartNew(() => client.Get(Uri, cancellationToken), default, TaskCreationOptions.LongRunning, TaskScheduler.Default)
        : client.GetAsync(Uri, cancellationToken).AsTask();

    private static async Task<CoapTransportException> FailAsync(CoapClient client, bool isSync)
    {
        var call = () => Begin(client, isSync).WaitAsync(RawPeer.Patience);
        return (await call.Should().ThrowAsync<CoapTransportException>()).Which;
    }

    private async Task<CoapResponse> AnswerAsync(Task<CoapResponse> call)
    {
        using var peer = await _server!.OpenAsync();
        peer.Send(Answer((await peer.ReadAsync())!));
        return await call.WaitAsync(RawPeer.Patience);
    }

    // The token of the request is its eight bytes behind length and code; 2.05 with the payload "ok".
    private static string Answer(string request)
    {
        var bytes = Convert.FromHexString(request);
        var tokenAt = bytes[0] >> 4 == 13 ? 3 : 2;
        return $"38 45 {Convert.ToHexStringLower(bytes.AsSpan(tokenAt, 8))} ff 6f6b";
    }
}
