using System.Text;
using System.Threading.Tasks.Dataflow;
using CoAP.Options;

namespace CoAP.Tests.Stateless;

/// <summary>Whole clients and servers that agree on token lengths (RFC 8974, section 2.2) and then exchange stateless requests.</summary>
public sealed class TokenNegotiationTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly InMemoryNetwork _network = new(TimeProvider.System);
    private readonly StatelessTokens _tokens = new();
    private readonly BufferBlock<StatelessResponse> _responses = new();
    private readonly CoapServer _server;
    private readonly CoapClient _client;
    private int _trials;
    private int _confirmableTrials;

    public TokenNegotiationTests()
    {
        _server = new CoapServer(new()
        {
            Network = _network,
            Endpoints = [ServerEndpoint.InMemory("server")],
            MaxTokenLength = 100,
            Stream = new() { MaxTokenLength = 60 },
            Links = [MeshLink.Filter(MeshArrow.Requests, Count)],
        });
        _server.Resources.At("echo").Post((request, _) => new(Response.Content("for " + request.PayloadText)));
        _server.Start();
        _client = new CoapClient(new()
        {
            Network = _network,
            StatelessTokens = _tokens,
            Links = [MeshLink.Tap(MeshArrow.StatelessResponses, _responses)],
            Transmission = new() { AckTimeout = TimeSpan.FromSeconds(20) },
        });
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
        _tokens.Dispose();
    }

    private bool Count(IncomingRequest request)
    {
        if (!request.Options.Contains<IfNoneMatch>()) { return true; }
        Interlocked.Increment(ref _trials);
        if (request.Message.Type == MessageType.Confirmable) { Interlocked.Increment(ref _confirmableTrials); }
        return true;
    }

    private Task<bool> Supports(string scheme, int length, bool isSync) => isSync
        ? Task.Run(() => _client.SupportsTokenLength($"{scheme}://server/", length)).WaitAsync(Patience)
        : _client.SupportsTokenLengthAsync($"{scheme}://server/", length).AsTask().WaitAsync(Patience);

    [Theory, Trait("RFC", "8974 2.2.2")]
    [InlineData(true), InlineData(false)]
    public async Task Over_datagrams_one_trial_request_decides_and_its_result_is_remembered(bool isSync)
    {
        (await Supports("coap", 101, isSync)).Should().BeFalse();
        (await Supports("coap", 100, isSync)).Should().BeTrue();
        (await Supports("coap", 50, isSync)).Should().BeTrue();
        (await Supports("coap", 8, isSync)).Should().BeTrue();
        (await Supports("coap", 102, isSync)).Should().BeFalse();

        _trials.Should().Be(1, "the one of 101 bytes did not pass the guard, and all others follow from the first two");
        _confirmableTrials.Should().Be(1);
    }

    [Theory, Trait("RFC", "8974 2.2.1")]
    [InlineData(true), InlineData(false)]
    public async Task On_a_connection_the_CSM_decides(bool isSync)
    {
        (await Supports("coap+tcp", 60, isSync)).Should().BeTrue();
        (await Supports("coap+tcp", 61, isSync)).Should().BeFalse();

        _trials.Should().BeLessThanOrEqualTo(1, "one request at most, to have the CSM");
    }

    [Fact, Trait("RFC", "8974 2.2.2")]
    public async Task A_server_that_does_not_answer_counts_as_one_that_takes_none()
    {
        await using var silent = new CoapServer(new()
        {
            Network = _network,
            Endpoints = [ServerEndpoint.InMemory("nobody")],
            Links = [MeshLink.Filter(MeshArrow.FramesIn, _ => false)],
        });
        silent.Start();
        await using var client = new CoapClient(new() { Network = _network, Transmission = new() { AckTimeout = TimeSpan.FromMilliseconds(1), MaxRetransmit = 0 } });

        (await client.SupportsTokenLengthAsync("coap://nobody/", 9).AsTask().WaitAsync(Patience)).Should().BeFalse();
    }

    [Theory, Trait("RFC", "8974 3.2")]
    [InlineData("coap", true), InlineData("coap", false), InlineData("coap+tcp", true), InlineData("coap+tcp", false)]
    public async Task A_stateless_request_is_sent_after_the_negotiation_and_its_response_comes_at_the_arrow(string scheme, bool isSync)
    {
        var request = new CoapRequest(RequestCode.Post, $"{scheme}://server/echo") { Payload = "you"u8.ToArray() };

        if (isSync) { await Task.Run(() => _client.SendStateless(request, "state"u8.ToArray())).WaitAsync(Patience); }
        else { await _client.SendStatelessAsync(request, "state"u8.ToArray()).AsTask().WaitAsync(Patience); }

        var response = await _responses.ReceiveAsync(Patience);
        (Encoding.UTF8.GetString(response.State.Span), response.Response.PayloadText).Should().Be(("state", "for you"));
        response.Peer.Should().Be(PeerIdentity.From("server"));
        if (scheme == "coap") { _trials.Should().Be(1, "a request with state finds out about the token length first"); }
    }

    [Theory]
    [InlineData("coap", 79), InlineData("coap+tcp", 39)]
    public async Task A_state_that_the_server_would_not_take_is_not_sent(string scheme, int length)
    {
        var request = new CoapRequest(RequestCode.Get, $"{scheme}://server/echo");

        await Sending(length).Should().ThrowAsync<NotSupportedException>();
        await Sending(length - 1).Should().NotThrowAsync();
        _tokens.Dispose();
        await Sending(0).Should().ThrowAsync<ObjectDisposedException>();

        Func<Task> Sending(int bytes) => () => _client.SendStatelessAsync(request, new byte[bytes]).AsTask().WaitAsync(Patience);
    }

    [Fact]
    public async Task Calls_that_make_no_sense_are_refused()
    {
        await using var plain = new CoapClient(new() { Network = _network });
        var (request, observing) = (new CoapRequest(RequestCode.Get, "coap://server/"), new CoapRequest(RequestCode.Get, "coap://server/") { Options = [new Observe(0)] });

        plain.Invoking(client => client.SendStateless(request, default)).Should().Throw<InvalidOperationException>();
        _client.Invoking(client => client.SendStateless(observing, default)).Should().Throw<ArgumentException>();
        _client.Invoking(client => client.SendStateless(request, new byte[300])).Should().Throw<ArgumentException>();
        _client.Invoking(client => client.SupportsTokenLength("coap://server/", 65_805)).Should().Throw<ArgumentOutOfRangeException>();
    }
}
