using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>A large request is written from the caller's memory: in order, to its end or not at all, and nobody is told before the memory is free.</summary>
public sealed class LargeRequestTests
{
    private const int Large = 1 << 20;

    [Fact]
    [Trait("RFC", "8323 3.2")]
    public async Task A_large_message_arrives_whole_and_in_order_with_small_ones()
    {
        await using var cut = new LargeClient();
        var payload = LargeClient.Payload(Large);
        var calls = new[] { cut.PutAsync([1]), cut.PutAsync(payload), cut.PutAsync([2]), cut.PutAsync(payload), cut.PutAsync([3]) };
        using var peer = await cut.AcceptAsync();

        var requests = await peer.ReadAsync(5);
        foreach (var request in requests) { peer.Send(LargeClient.Changed(request!)); }

        var whole = Hex.Text(payload);
        requests.Select(request => request!.EndsWith("ff" + whole, StringComparison.Ordinal) ? "large" : request[^2..]).Order().Should().Equal("01", "02", "03", "large", "large");
        (await Task.WhenAll(calls)).Should().AllSatisfy(response => response.Code.Should().Be(ResponseCode.Changed));
    }

    [Fact]
    public async Task A_response_that_comes_early_is_handed_on_when_the_request_is_written()
    {
        await using var cut = new LargeClient();
        await using var other = new StreamHost(settings => settings with { Network = cut.Network });
        var call = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var head = Hex.Text(peer.Peek(14));

        // The connections of a client share one lane: it has looked at the response before it goes around for the last time.
        peer.Send(LargeClient.Changed(head));
        for (var trip = 0; trip < 5; trip++) { await cut.Client.GetAsync($"coap+tcp://{StreamHost.Name}/hi"); }
        var isEarly = call.IsCompleted;
        var request = await peer.ReadAsync();

        isEarly.Should().BeFalse("the payload is still being read");
        request.Should().StartWith(head);
        (await call.WaitAsync(RawPeer.Patience)).Code.Should().Be(ResponseCode.Changed);
    }

    [Fact]
    public async Task Cancelled_half_written_the_message_is_finished_where_the_peer_reads_and_the_connection_lives()
    {
        await using var cut = new LargeClient();
        using var cancellation = new CancellationTokenSource();
        var payload = LargeClient.Payload(Large);
        var call = cut.PutAsync(payload, cancellation.Token);
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);

        await cancellation.CancelAsync();
        var request = await peer.ReadAsync();
        var ended = await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience));
        var next = cut.PutAsync([1]);
        peer.Send(LargeClient.Changed((await peer.ReadAsync())!));

        request.Should().EndWith(Hex.Text(payload));
        ended.Should().BeAssignableTo<OperationCanceledException>();
        (await next.WaitAsync(RawPeer.Patience)).Code.Should().Be(ResponseCode.Changed);
    }

    [Fact]
    public async Task Cancelled_half_written_the_connection_ends_where_the_peer_does_not_read()
    {
        await using var cut = new LargeClient(settings => settings with { Tcp = new TcpSettings { SendTimeout = TimeSpan.FromDays(1) } });
        using var cancellation = new CancellationTokenSource();
        var call = cut.PutAsync(LargeClient.Payload(Large), cancellation.Token);
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var before = cut.Time.Elapsed;

        await cancellation.CancelAsync();
        await cut.PassAsync(call);

        call.IsCanceled.Should().BeTrue();
        (cut.Time.Elapsed - before).Should().BeGreaterOrEqualTo(TimeSpan.FromSeconds(2));
    }

    [Fact]
    public async Task Cancelled_before_its_first_byte_a_message_is_never_sent()
    {
        await using var cut = new LargeClient();
        using var cancellation = new CancellationTokenSource();
        var first = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var second = cut.PutAsync(LargeClient.Payload(Large, seed: 2), cancellation.Token);

        await cancellation.CancelAsync();
        var ended = await Record.ExceptionAsync(() => second.WaitAsync(RawPeer.Patience));
        peer.Send(LargeClient.Changed((await peer.ReadAsync())!));
        await first.WaitAsync(RawPeer.Patience);
        var third = cut.PutAsync([3]);
        var next = await peer.ReadAsync();

        ended.Should().BeAssignableTo<OperationCanceledException>();
        next.Should().EndWith("ff03");
        peer.Send(LargeClient.Changed(next!));
        await third.WaitAsync(RawPeer.Patience);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public async Task A_second_CSM_with_a_lower_limit_fails_what_is_queued_and_not_what_is_half_written()
    {
        await using var cut = new LargeClient();
        var first = cut.PutAsync(LargeClient.Payload(Large));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);
        var second = cut.PutAsync(LargeClient.Payload(Large, seed: 2));
        var third = cut.PutAsync([3]);

        peer.Send(LargeClient.TakesSmall);
        var refused = await Record.ExceptionAsync(() => second.WaitAsync(RawPeer.Patience));
        var requests = await peer.ReadAsync(2);
        foreach (var request in requests) { peer.Send(LargeClient.Changed(request!)); }

        refused.Should().BeOfType<CoapTransportException>().Which.Message.Should().Contain("65536").And.Contain("Max-Message-Size");
        requests[1].Should().EndWith("ff03");
        (await Task.WhenAll(first, third).WaitAsync(RawPeer.Patience)).Should().HaveCount(2);
    }

    [Fact]
    public async Task A_peer_that_closes_in_the_middle_fails_the_request_and_the_next_one_opens_a_new_connection()
    {
        await using var cut = new LargeClient(settings => settings with { MaxInFlightSize = Large });
        var call = cut.PutAsync(LargeClient.Payload(Large));
        var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);

        peer.Dispose();
        var ended = await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience));
        var again = cut.PutAsync(LargeClient.Payload(Large));
        var accepting = cut.AcceptAsync();
        await cut.PassAsync(accepting);         // the wait before another attempt
        using var other = await accepting;
        other.Send(LargeClient.Changed((await other.ReadAsync())!));

        ended.Should().BeOfType<CoapTransportException>();
        (await again.WaitAsync(RawPeer.Patience)).Code.Should().Be(ResponseCode.Changed);
    }
}
