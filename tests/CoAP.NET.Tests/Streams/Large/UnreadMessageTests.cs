using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>Peers that take slowly, or nothing, of what is sent to them.</summary>
public sealed class UnreadMessageTests
{
    private const int Large = 1 << 20;

    [Fact]
    public async Task A_peer_that_takes_nothing_for_the_set_time_loses_the_connection()
    {
        await using var cut = new LargeClient(settings => settings with { Tcp = new TcpSettings { SendTimeout = TimeSpan.FromSeconds(20) } });
        var call = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var before = cut.Time.Elapsed;

        await cut.PassAsync(call);

        (await Record.ExceptionAsync(() => call)).Should().BeOfType<CoapTransportException>()
            .Which.Message.Should().Contain("00:00:20").And.Contain("TcpSettings.SendTimeout");
        (cut.Time.Elapsed - before).Should().BeGreaterOrEqualTo(TimeSpan.FromSeconds(20));
    }

    [Fact]
    public async Task A_peer_that_takes_a_little_at_a_time_gets_all_of_it()
    {
        await using var cut = new LargeClient(settings => settings with { Stream = new StreamSettings { IdleTimeout = null } });
        var payload = LargeClient.Payload(Large);
        var call = cut.PutAsync(payload);
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var before = cut.Time.Elapsed;

        for (var taken = 1; taken <= Large; cut.Time.Advance(TimeSpan.FromSeconds(2)))
        {
            var count = peer.Take(32 << 10);
            await PassingTime.SettleAsync();
            taken += count;
        }
        peer.Send(LargeClient.Changed((await peer.ReadAsync())!));

        (await call.WaitAsync(RawPeer.Patience)).Code.Should().Be(ResponseCode.Changed);
        (cut.Time.Elapsed - before).Should().BeGreaterThan(TimeSpan.FromSeconds(60), "all in all that takes longer than SendTimeout");
    }

    [Fact]
    public async Task The_wait_for_the_response_begins_when_the_request_is_written()
    {
        await using var cut = new LargeClient(settings => settings with
        {
            ResponseTimeout = TimeSpan.FromSeconds(10),
            Tcp = new TcpSettings { SendTimeout = TimeSpan.FromSeconds(100) },
        });
        var call = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);

        cut.Time.Advance(TimeSpan.FromSeconds(60));
        await peer.ReadAsync();
        var written = cut.Time.Elapsed;
        await cut.PassAsync(call);

        (await Record.ExceptionAsync(() => call)).Should().BeOfType<CoapTimeoutException>();
        (cut.Time.Elapsed - written).Should().BeGreaterOrEqualTo(TimeSpan.FromSeconds(10));
    }

    [Fact]
    public async Task Requests_beyond_the_connections_limit_wait_and_go_in_order()
    {
        await using var cut = new LargeClient(settings => settings with { Stream = new StreamSettings { MaxUnsentSize = Large } });
        var calls = new List<Task<CoapResponse>> { cut.PutAsync(LargeClient.Payload(Large)) };
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        calls.Add(cut.PutAsync(LargeClient.Payload(Large - 1000, seed: 2)));
        calls.Add(cut.PutAsync([3]));

        var requests = await peer.ReadAsync(3);
        foreach (var request in requests) { peer.Send(LargeClient.Changed(request!)); }

        requests.Select(request => request!.Length / 2 / 1000).Should().Equal(1048, 1047, 0);
        await Task.WhenAll(calls).WaitAsync(RawPeer.Patience);
    }

    [Fact]
    public async Task More_requests_than_may_wait_for_room_fail_with_the_settings_names()
    {
        await using var cut = new LargeClient(settings => settings with { Stream = new StreamSettings { MaxUnsentSize = 1000 }, MaxQueuedRequests = 1 });
        var first = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var calls = new[] { cut.PutAsync([2]), cut.PutAsync([3]) };

        var failed = await Task.WhenAny(calls).WaitAsync(RawPeer.Patience);

        (await Record.ExceptionAsync(() => failed)).Should().BeOfType<CoapBusyException>()
            .Which.Message.Should().Contain("StreamSettings.MaxUnsentSize").And.Contain("1000").And.Contain("MaxQueuedRequests");
        foreach (var _ in Enumerable.Range(0, 2)) { peer.Send(LargeClient.Changed((await peer.ReadAsync())!)); }
        await Task.WhenAll(calls.Except([failed]).Append(first)).WaitAsync(RawPeer.Patience);
    }

    [Fact]
    public async Task A_large_request_beyond_the_endpoints_limit_fails_with_the_settings_name()
    {
        await using var cut = new LargeClient(settings => settings with { MaxInFlightSize = Large });
        var first = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);

        var failed = await Record.ExceptionAsync(() => cut.PutAsync(LargeClient.Payload(Large)).WaitAsync(RawPeer.Patience));

        failed.Should().BeOfType<CoapBusyException>().Which.Message.Should().Contain("MaxInFlightSize").And.Contain($"{Large}");
        peer.Send(LargeClient.Changed((await peer.ReadAsync())!));
        await first.WaitAsync(RawPeer.Patience);
    }
}
