using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>The deadlines that end a call over a connection.</summary>
public sealed class StreamCallDeadlineTests
{
    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task A_server_without_a_CSM_ends_a_call_at_its_Timeout(bool isSync)
    {
        await using var cut = new LargeClient();
        var call = Begin(cut, isSync, new CoapRequest(RequestCode.Put, "coap+tcp://raw-server/a") { Payload = new byte[2000], Timeout = TimeSpan.FromSeconds(2) });

        var error = await FailAsync(cut, call);

        error.Should().BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Connection, Elapsed = TimeSpan.FromSeconds(2) });
        error.Peer.Should().StartWith("raw-server");
        error.Message.Should().Contain("PUT coap+tcp://raw-server/a").And.Contain("Timeout");
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task A_connection_without_a_response_ends_a_call_after_103_seconds(bool isSync)
    {
        await using var cut = new LargeClient();
        var call = Begin(cut, isSync, new CoapRequest(RequestCode.Get, "coap+tcp://raw-server/a"));
        using var peer = await cut.AcceptAsync();
        var before = cut.Time.Elapsed;

        var error = await FailAsync(cut, call);

        error.Should().BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Response, Attempts = 1 });
        // The clock runs ahead of the threads, so the end may be noticed later.
        (cut.Time.Elapsed - before).Should().BeGreaterThan(TimeSpan.FromSeconds(100)).And.BeLessThan(TimeSpan.FromMinutes(5));
    }

    [Fact]
    public async Task A_peer_that_takes_a_byte_every_ten_seconds_ends_a_large_request()
    {
        await using var cut = new LargeClient(settings => settings with
        {
            Stream = new StreamSettings { IdleTimeout = null },
            Tcp = new TcpSettings { SendTimeout = TimeSpan.FromHours(1) },
        });
        var call = cut.PutAsync(LargeClient.Payload(1 << 20));
        using var peer = await cut.AcceptAsync();
        await LargeClient.StuckAsync(peer);

        for (var time = 0; time < 1500 && !call.IsCompleted; time += 10)
        {
            peer.Take(1);
            cut.Time.Advance(TimeSpan.FromSeconds(10));
            await PassingTime.SettleAsync(call);
        }
        var error = await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience));

        error.Should().BeOfType<CoapTimeoutException>().Which.AwaitedEvent.Should().Be(AwaitedEvent.Body);
    }

    private static Task<CoapResponse> Begin(LargeClient cut, bool isSync, CoapRequest request) =>
        isSync ? Task.Run(() => cut.Client.Send(request)) : cut.Client.SendAsync(request).AsTask();

    private static async Task<CoapTimeoutException> FailAsync(LargeClient cut, Task call)
    {
        await cut.PassAsync(call);
        return (await Record.ExceptionAsync(() => call)).Should().BeOfType<CoapTimeoutException>().Which;
    }
}
