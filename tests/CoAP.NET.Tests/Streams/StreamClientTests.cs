using System.Net.Sockets;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Tests.Streams;

/// <summary>A client on a connection, against a server whose bytes the test writes.</summary>
public sealed class StreamClientTests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://raw-server/hi";

    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private readonly CoapClient _client;

    public StreamClientTests()
    {
        _server = new RawServer(_network);
        _client = new CoapClient(new CoapClientSettings { Network = _network });
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _server.Dispose();
    }

    [Fact]
    [Trait("RFC", "8323 3.3")]
    public async Task Sends_its_CSM_and_then_the_request_without_waiting_for_the_servers_CSM()
    {
        var pending = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.AcceptAsync();

        var csm = await peer.ReadAsync();
        var request = await peer.ReadAsync();
        peer.Send("00 e1" + Answer(request!, "45", "ff 6f6b"));

        csm.Should().Be("50e12301000020");
        request.Should().StartWith("d8").And.EndWith("3a" + Ascii("raw-server") + "82" + Ascii("hi"), "Uri-Host and Uri-Path");
        (await Ended(pending)).PayloadText.Should().Be("ok");
    }

    [Theory, InlineData(1000, true), InlineData(1001, false)]
    public async Task A_response_in_a_single_message_keeps_to_the_limit_of_bodies(int length, bool isAccepted)
    {
        await using var client = new CoapClient(new CoapClientSettings { Network = _network, ClientTransfers = new() { MaxResponseBody = 1000 } });
        var pending = client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        var token = new Token(Convert.FromHexString(TokenOf((await peer.ReadAsync())!)));

        var response = new CoapMessage { Code = ResponseCode.Content, Token = token, Payload = new byte[length] };
        peer.Send(new StreamSerializer(OptionRegistry.Default).Serialize(response)).Should().BeTrue();
        var failure = await Record.ExceptionAsync(() => Ended(pending));

        if (isAccepted) { failure.Should().BeNull(); }
        else { failure.Should().BeOfType<CoapTransferException>().Which.Message.Should().Contain("1001 bytes").And.Contain("MaxResponseBody"); }
    }

    [Fact]
    [Trait("RFC", "8323 3.3")]
    public async Task Responses_come_in_any_order_and_go_to_their_requests()
    {
        var first = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        var firstRequest = await peer.ReadAsync();
        var second = _client.GetAsync(Uri).AsTask();
        var secondRequest = await peer.ReadAsync();

        peer.Send(Answer(secondRequest!, "45", "ff 32") + Answer(firstRequest!, "45", "ff 31"));

        (await Ended(first)).PayloadText.Should().Be("1");
        (await Ended(second)).PayloadText.Should().Be("2");
    }

    [Fact]
    [Trait("RFC", "8323 3.3")]
    public async Task Without_resources_answers_5_01()
    {
        var pending = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        var request = await peer.ReadAsync();

        peer.Send("31 01 7a b2 68 69");
        var answer = await peer.ReadAsync();
        peer.Send(Answer(request!, "45", ""));

        answer.Should().Be("01a17a");
        (await Ended(pending)).Code.Should().Be(ResponseCode.Content);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public async Task A_request_over_the_base_size_waits_for_the_servers_CSM_and_small_ones_go_past_it()
    {
        var large = _client.PutAsync(Uri, new byte[2000]).AsTask();
        using var peer = await _server.AcceptAsync();
        await peer.ReadAsync();
        var small = _client.GetAsync(Uri).AsTask();
        var first = await peer.ReadAsync();

        peer.Send("30 e1 22 1000");         // Max-Message-Size 4,096
        var second = await peer.ReadAsync();
        peer.Send(Answer(first!, "45", "") + Answer(second!, "44", ""));

        first!.Length.Should().BeLessThan(100);
        second!.Length.Should().BeGreaterThan(4000);
        await Ended(large);
        await Ended(small);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public async Task A_request_whose_options_are_larger_than_the_server_takes_fails_clearly()
    {
        var large = new CoapRequest(RequestCode.Put, Uri) { Options = [.. Enumerable.Repeat(new UriQuery(new string('q', 255)), 5)], Payload = new byte[16] };
        var early = _client.SendAsync(large).AsTask();
        using var peer = await _server.OpenAsync();
        var outcome = () => Ended(early);

        await outcome.Should().ThrowAsync<ArgumentException>().WithMessage("*at most 1152*");
        var late = async () => await _client.SendAsync(large);
        await late.Should().ThrowAsync<ArgumentException>().WithMessage("*at most 1152*");
    }

    [Fact]
    public async Task The_end_of_the_connection_fails_what_is_outstanding_and_the_next_request_opens_a_new_one()
    {
        var pending = _client.GetAsync(Uri).AsTask();
        using (var peer = await _server.OpenAsync()) { await peer.ReadAsync(); }
        var outcome = () => Ended(pending);
        await outcome.Should().ThrowAsync<CoapTransportException>().Where(error => !error.IsAbort).WithMessage("*peer closed it*");

        var again = _client.GetAsync(Uri).AsTask();
        using var next = await _server.OpenAsync();
        next.Send(Answer((await next.ReadAsync())!, "45", ""));

        (await Ended(again)).Code.Should().Be(ResponseCode.Content);
        _server.Accepted.Should().Be(2);
    }

    [Fact]
    [Trait("RFC", "8323 5.6")]
    public async Task An_abort_fails_outstanding_requests_with_its_reason()
    {
        var pending = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        await peer.ReadAsync();

        peer.Send("50 e5 ff" + Ascii("tired")[..8]);

        var outcome = () => Ended(pending);
        await outcome.Should().ThrowAsync<CoapTransportException>().Where(error => error.IsAbort).WithMessage("*aborted*tire*");
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public async Task After_a_release_outstanding_responses_still_come_and_new_requests_take_a_new_connection()
    {
        var first = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        var request = await peer.ReadAsync();

        peer.Send("00 e4  01 e2 42");       // Release, Ping
        await peer.ReadAsync();
        var second = _client.GetAsync(Uri).AsTask();
        using var next = await _server.OpenAsync();
        next.Send(Answer((await next.ReadAsync())!, "45", ""));
        peer.Send(Answer(request!, "45", ""));

        await Ended(first);
        await Ended(second);
        (await peer.ReadAsync()).Should().BeNull("the one who was released closes");
    }

    [Fact]
    public async Task Concurrent_callers_share_one_connection_sync_and_async()
    {
        var calls = Enumerable.Range(0, 16).Select(index => Task.Factory.StartNew(
            async () => index % 2 == 0 ? await _client.GetAsync(Uri) : _client.Get(Uri), TaskCreationOptions.LongRunning).Unwrap()).ToArray();
        using var peer = await _server.OpenAsync();
        for (var i = 0; i < calls.Length; i++) { peer.Send(Answer((await peer.ReadAsync())!, "45", "")); }

        await Task.WhenAll(calls).WaitAsync(RawPeer.Patience);

        _server.Accepted.Should().Be(1);
    }

    [Fact]
    public async Task A_refused_connection_fails_with_the_reason_of_the_network()
    {
        var async = async () => await _client.GetAsync("coap+tcp://nobody/");
        var sync = () => _client.Get("coap+tcp://nobody/");

        (await async.Should().ThrowAsync<CoapTransportException>()).WithInnerException<SocketException>();
        sync.Should().Throw<CoapTransportException>().WithInnerException<SocketException>();
    }

    [Fact]
    public async Task A_response_that_is_too_large_fails_its_request_and_the_connection_lives_on()
    {
        var pending = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        var request = await peer.ReadAsync();

        await peer.SendAsync((byte[])[.. TestSupport.Hex.Bytes("f8 00 00 00 00 45" + TokenOf(request!)), .. new byte[65_805]]);
        peer.Send("01 e2 42");

        var outcome = () => Ended(pending);
        await outcome.Should().ThrowAsync<CoapTransportException>().WithMessage("*larger than 65536*");
        (await peer.ReadAsync()).Should().Be("01e342");
    }

    [Fact]
    public async Task A_client_that_is_disposed_releases_its_connection_and_fails_its_requests()
    {
        var pending = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        await peer.ReadAsync();

        var disposing = _client.DisposeAsync().AsTask();
        var release = await peer.ReadAsync();
        (await peer.ReadAsync()).Should().BeNull();
        peer.Dispose();
        await disposing.WaitAsync(RawPeer.Patience);

        release.Should().Contain("e4ff");
        var outcome = () => Ended(pending);
        await outcome.Should().ThrowAsync<CoapTransportException>();
    }

    [Fact]
    public async Task A_cancelled_request_leaves_the_connection_to_the_others()
    {
        using var cancel = new CancellationTokenSource();
        var cancelled = _client.GetAsync(Uri, cancel.Token).AsTask();
        using var peer = await _server.OpenAsync();
        var first = await peer.ReadAsync();
        await cancel.CancelAsync();
        var other = _client.GetAsync(Uri).AsTask();

        peer.Send(Answer(first!, "45", "") + Answer((await peer.ReadAsync())!, "45", "ff 6f"));

        var outcome = () => Ended(cancelled);
        await outcome.Should().ThrowAsync<OperationCanceledException>();
        (await Ended(other)).PayloadText.Should().Be("o");
    }

    private static Task<CoapResponse> Ended(Task<CoapResponse> call) => call.WaitAsync(RawPeer.Patience);

    // A response with up to twelve bytes behind the token of the request.
    private static string Answer(string request, string code, string tail) =>
        $"{tail.Replace(" ", "").Length / 2:x}8 {code} {TokenOf(request)} {tail}\n";

    private static string TokenOf(string request)
    {
        request[1].Should().Be('8', "our tokens have eight bytes");
        var start = request[0] switch { 'd' => 3, 'e' => 4, 'f' => 6, _ => 2 };
        return request.Substring(start * 2, 16);
    }

    private static string Ascii(string text) => TestSupport.Hex.Text(System.Text.Encoding.ASCII.GetBytes(text));
}
