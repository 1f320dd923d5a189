using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>The cancellation token of handlers over connections fires when the connection has ended.</summary>
public sealed class EndedConnectionTests : CancelableHandler
{
    public static TheoryData<ServerMode> Modes => [ServerMode.Async, ServerMode.AsyncSingle, ServerMode.Sync];

    [Theory, MemberData(nameof(Modes))]
    public async Task An_abort_of_the_peer_fires_the_token(ServerMode mode)
    {
        using var peer = await EnterAsync(mode);

        peer.Send(Abort);

        await _fired.Task.WaitAsync(RawPeer.Patience);
        await EndsAsync();
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task An_abort_of_the_server_fires_the_token(ServerMode mode)
    {
        using var peer = await EnterAsync(mode);

        peer.Send("0f 01");         // a token of 15 bytes

        await _fired.Task.WaitAsync(RawPeer.Patience);
        await EndsAsync();
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task A_close_fires_the_token_within_seconds(ServerMode mode)
    {
        var peer = await EnterAsync(mode);
        using var other = await _host!.OpenAsync();
        var started = _time.Elapsed;

        peer.Dispose();
        while (!_fired.Task.IsCompleted && _time.Elapsed - started < TimeSpan.FromSeconds(9.9))
        {
            _time.Advance(TimeSpan.FromSeconds(0.01));
            other.Send(GetHi);              // each round trip gives the lanes a turn
            (await other.ReadAsync()).Should().Be(Hi);
        }

        await _fired.Task.WaitAsync(RawPeer.Patience);      // the thread that fires may be late, but the clock stands
        (_time.Elapsed - started).Should().BeLessThan(TimeSpan.FromSeconds(10));
        other.Dispose();
        await EndsAsync();
    }

    [Fact]
    public async Task A_close_is_noticed_while_the_connection_is_not_read()
    {
        var peer = await EnterAsync(ServerMode.Async, settings => settings with { Stream = settings.Stream with { MaxRequestsInProgress = 1 } });
        peer.Send(GetSlow + GetSlow);

        peer.Dispose();

        await _time.PassAsync(_fired.Task);
        await EndsAsync();
    }

    [Fact, Trait("RFC", "8323 5.4")]
    public async Task A_peer_that_ended_only_its_direction_gets_its_response()
    {
        using var peer = await EnterAsync(ServerMode.Async);

        peer.EndSending();
        (await _time.PassAsync(peer.ReadAsync())).Should().Be("0000", "an Empty message shows whether there is a reader");
        (await _time.PassAsync(peer.ReadAsync())).Should().Be("0000");
        _fired.Task.IsCompleted.Should().BeFalse();
        _leaves.SetResult();

        (await peer.ReadAsync()).Should().Be("01447a");
        (await peer.ReadAsync()).Should().BeNull();
    }

    [Fact]
    public async Task A_stop_of_the_server_fires_the_token()
    {
        using var peer = await EnterAsync(ServerMode.Async);

        var stopped = _host!.Server.StopAsync();

        await _time.PassAsync(_fired.Task);
        await _time.PassAsync(stopped);
    }
}
