using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>Large answers, which go as the peer takes them.</summary>
public sealed class LargeAnswerTests : IAsyncDisposable
{
    private const int Large = 1_000_000;
    private const string GetLarge = "d0 03 01 b5 6c61726765 49 6e3d31303030303030";      // GET large?n=1000000
    private const string GetHi = "31 01 43 b2 6869";
    private const string Hi = "414543c0ff6869";

    private readonly ManualClock _time = new();
    private readonly StreamHost _host;

    public LargeAnswerTests() => _host = new StreamHost(settings => settings with
    {
        TimeProvider = _time,
        Stream = new StreamSettings { MaxMessageSize = 4 << 20, AbortAboveSize = 4 << 20, MaxUnreadSize = 4 << 20, IdleTimeout = null },
    });

    public async ValueTask DisposeAsync()
    {
        var ending = _host.DisposeAsync().AsTask();
        await _time.PassAsync(ending);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public async Task A_lower_limit_turns_a_queued_answer_into_5_00_and_lets_the_one_half_written_end()
    {
        using var peer = await OpenAsync();
        peer.Send(GetLarge);
        await StuckAsync(peer);
        peer.Send("d1 03 01 77 b5 6c61726765 49 6e3d31303030303030");
        await SettleAsync();

        peer.Send("40 e1 23 010000");                           // 65,536
        await SettleAsync();
        var answers = await peer.ReadAsync(2);

        answers[0].Should().HaveLength(2 * (Large + 6 + 1));
        answers[1].Should().Contain("a077ff");
    }

    [Fact]
    public async Task A_peer_that_takes_nothing_of_an_answer_loses_the_connection_after_the_set_time()
    {
        using var peer = await OpenAsync();
        peer.Send(GetLarge);
        await StuckAsync(peer);

        var before = _time.Elapsed;
        while (_host.Server.OpenConnections > 0 && _time.Elapsed < TimeSpan.FromHours(1))
        {
            _time.Advance(TimeSpan.FromSeconds(0.2));
            await _host.Server.TakeTurnsAsync(2);
        }

        _host.Server.OpenConnections.Should().Be(0);
        (_time.Elapsed - before).Should().BeGreaterOrEqualTo(new TcpSettings().SendTimeout);
    }

    [Fact]
    public async Task A_peer_that_has_ended_its_direction_may_read_the_answer_slowly()
    {
        using var peer = await OpenAsync();
        peer.Send(GetLarge);
        peer.EndSending();
        await StuckAsync(peer);

        for (var second = 0; second < 10; second++)
        {
            peer.Take(1);
            _time.Advance(TimeSpan.FromSeconds(1));
            await SettleAsync();
        }

        (await peer.ReadAsync()).Should().HaveLength(2 * (Large + 6 + 1));
    }

    [Fact]
    public async Task Other_requests_are_answered_behind_a_large_answer()
    {
        using var peer = await OpenAsync();
        peer.Send(GetLarge + GetHi);

        var answers = await peer.ReadAsync(2);

        answers[0].Should().HaveLength(2 * (Large + 6 + 1));
        answers[1].Should().Be(Hi);
    }

    [Fact]
    public async Task Two_sides_that_send_large_messages_to_each_other_at_once_both_go_on()
    {
        await using var client = _host.Client(new CoapClientSettings
        {
            Stream = new StreamSettings { MaxMessageSize = 4 << 20, AbortAboveSize = 4 << 20, MaxUnreadSize = 1000 },
        });
        var payload = LargeClient.Payload(Large);
        var put = new CoapRequest(RequestCode.Put, "coap+tcp://server/size") { Payload = payload };
        var get = new CoapRequest(RequestCode.Get, $"coap+tcp://server/large?n={Large}");

        var calls = Enumerable.Range(0, 40).Select(at => client.SendAsync(at % 2 == 0 ? put : get).AsTask()).ToArray();
        var answers = await Task.WhenAll(calls).WaitAsync(RawPeer.Patience);

        answers.Where((_, at) => at % 2 == 0).Should().AllSatisfy(answer => answer.PayloadText.Should().Be($"{Large}"));
        answers.Where((_, at) => at % 2 == 1).Should().AllSatisfy(answer => answer.Payload.Length.Should().Be(Large));
    }

    private async Task<RawPeer> OpenAsync()
    {
        var peer = RawPeer.Connect(_host.Network, StreamHost.Name);
        peer.Send("50 e1 24 01000000");                         // 16,777,216
        await peer.ReadAsync();
        return peer;
    }

    private async Task StuckAsync(RawPeer peer)
    {
        await peer.TakeFirstAsync();
        await SettleAsync();
    }

    private Task SettleAsync() => _host.Server.TakeTurnsAsync(50);
}
