using CoAP.Options;
using CoAP.Tests.Streams;

namespace CoAP.Tests.Conformance;

/// <summary>Echo and No-Response over connections, where nothing is acknowledged and no address can be forged.</summary>
public sealed class StreamFreshnessTests : IAsyncDisposable
{
    private readonly StreamHost _host = new(settings => settings with { Amplification = new() { ExemptsLoopback = false } });
    private int _puts;

    public StreamFreshnessTests()
    {
        _host.Server.Resources.At("lock").RequiresFreshness(TimeSpan.FromMinutes(1)).Put((_, _) =>
        {
            _puts++;
            return new(Response.Changed);
        });
    }

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "8323 3.3")]
    public async Task No_message_answers_a_request_that_wants_no_response()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("61 01 7a b2 6869 d1 ea 1a");     // GET hi, No-Response 26: option 258 behind 11 is 247, 13 + 234
        peer.Send("31 01 7b b2 6869");              // GET hi

        (await peer.ReadAsync()).Should().Be("41457bc0ff6869");
    }

    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "8323 5.4.1")]
    public async Task A_request_without_a_response_is_no_longer_in_progress()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("61 01 7a b2 6869 d1 ea 1a");
        peer.Send("11 e2 42 20");                   // Ping with Custody, answered when all requests before it are

        (await peer.ReadAsync()).Should().Be("11e34220");
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public async Task A_request_is_handled_once_it_shows_a_fresh_echo()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("51 03 7a b4 6c6f636b");                          // PUT lock
        var refusal = (await peer.ReadAsync())!;
        peer.Send("d1 06 03 7b b4 6c6f636b dc e4" + refusal[^24..]);  // with the Echo, 12 bytes

        refusal.Should().StartWith("d103817ad001");
        (await peer.ReadAsync()).Should().Be("01447b");
        _puts.Should().Be(1);
    }

    [Theory, Trait("RFC", "9175 2.3")]
    [InlineData("coap", 10), InlineData("coap", 3000), InlineData("coap+tcp", 10), InlineData("coap+tcp", 3000), InlineData("coap+tcp", 200_000)]
    public async Task A_client_repeats_what_is_refused_for_want_of_an_echo_by_either_form_of_the_call(string scheme, int length)
    {
        await using var blocking = _host.Client();
        await using var awaiting = _host.Client();
        var uri = $"{scheme}://server/lock";

        var first = await Task.Run(() => blocking.Put(uri, new byte[length])).WaitAsync(RawPeer.Patience);
        var second = await awaiting.PutAsync(uri, new byte[length]).AsTask().WaitAsync(RawPeer.Patience);

        (first.Code, second.Code).Should().Be((ResponseCode.Changed, ResponseCode.Changed));
        _puts.Should().Be(2);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public async Task Large_answers_over_a_connection_need_no_echo()
    {
        using var client = _host.Client();

        var response = await client.GetAsync("coap+tcp://server/large?n=2000");

        response.Payload.Length.Should().Be(2000);
        response.Options.Contains<Echo>().Should().BeFalse();
    }

    [Fact, Trait("RFC", "7967 2.1")]
    public async Task A_forgotten_request_over_a_connection_is_done_when_it_is_sent()
    {
        using var client = _host.Client();

        var sync = client.SendAndForget(new CoapRequest(RequestCode.Get, "coap+tcp://server/hi"));
        var delivery = await client.SendAndForgetAsync(new CoapRequest(RequestCode.Get, "coap+tcp://server/hi"));
        var datagram = await client.SendAndForgetAsync(new CoapRequest(RequestCode.Get, "coap://server/hi"));

        (sync, delivery).Should().Be((new Delivery(false, null), new Delivery(false, null)));
        datagram.Should().Be(new Delivery(true, null));
    }
}
