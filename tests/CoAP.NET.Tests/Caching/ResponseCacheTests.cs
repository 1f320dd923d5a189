using CoAP.Options;
namespace CoAP.Tests.Caching;

/// <summary>A client with a cache and a server that counts what reaches it.</summary>
public sealed class ResponseCacheTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new(TimeProvider.System);
    private readonly ResponseCache _cache;
    private readonly CoapServer _server;
    private readonly CoapClient _client;
    private string _text = "one";
    private int _requests;
    private int _validations;

    public ResponseCacheTests()
    {
        _server = new CoapServer(new() { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")] });
        _server.Resources.At("tagged").Get(Tagged).Put(Change);
        _server.Resources.At("plain").Get(Plain).Fetch(Plain).Post(Refuse);
        _server.Start();
        _cache = new ResponseCache(new() { TimeProvider = _time });
        _client = new CoapClient(new() { Network = _network, Cache = _cache });
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Theory, Trait("RFC", "7252 5.6.1")]
    [InlineData(true), InlineData(false)]
    public async Task A_fresh_response_is_used_again_and_says_how_old_it_is(bool isSync)
    {
        var first = await Get("plain", isSync);
        _text = "two";
        _time.Advance(TimeSpan.FromSeconds(20));

        var second = await Get("plain", isSync);

        (first.IsFromCache, first.Age, first.PayloadText).Should().Be((false, TimeSpan.Zero, "one"));
        (second.IsFromCache, second.Age, second.PayloadText).Should().Be((true, TimeSpan.FromSeconds(20), "one"));
        second.Remote.Should().Be(first.Remote);
        _requests.Should().Be(1);
    }

    [Theory, Trait("RFC", "7252 5.6.2")]
    [InlineData(true), InlineData(false)]
    public async Task An_old_response_is_validated(bool isSync)
    {
        await Get("tagged", isSync);
        _time.Advance(TimeSpan.FromSeconds(61));

        var confirmed = await Get("tagged", isSync);
        _time.Advance(TimeSpan.FromSeconds(30));
        var again = await Get("tagged", isSync);

        (confirmed.Code, confirmed.IsFromCache, confirmed.PayloadText).Should().Be((ResponseCode.Content, true, "one"));
        (again.IsFromCache, again.Age).Should().Be((true, TimeSpan.FromSeconds(30)));
        (_requests, _validations).Should().Be((2, 1));
    }

    [Fact, Trait("RFC", "7252 5.6.2")]
    public async Task An_old_response_that_has_changed_is_replaced()
    {
        await Get("tagged");
        _text = "two!";
        _time.Advance(TimeSpan.FromSeconds(61));

        (await Get("tagged")).PayloadText.Should().Be("two!");

        (await Get("tagged")).Should().BeEquivalentTo(new { IsFromCache = true, PayloadText = "two!" });
    }

    // The server may have acted on the blocks that it took before.
    [Fact, Trait("RFC", "7959 2.10")]
    public async Task A_refusal_after_blocks_were_taken_makes_what_is_stored_old()
    {
        await Get("plain");
        var refused = await _client.SendAsync(new CoapRequest(RequestCode.Post, "coap://server/plain") { Payload = new byte[3000] }).AsTask().WaitAsync(Patience);
        _text = "two";

        refused.IsSuccess.Should().BeFalse();
        (await Get("plain")).Should().BeEquivalentTo(new { IsFromCache = false, PayloadText = "two" });
    }

    [Fact, Trait("RFC", "7252 5.9.1.4")]
    public async Task A_local_change_is_visible_at_once()
    {
        await Get("tagged");

        await _client.PutAsync("coap://server/tagged", "four"u8.ToArray()).AsTask().WaitAsync(Patience);

        (await Get("tagged")).PayloadText.Should().Be("four");
    }

    [Fact]
    public async Task A_refused_change_leaves_the_cache_alone()
    {
        await Get("plain");

        await _client.PostAsync("coap://server/plain", default).AsTask().WaitAsync(Patience);

        (await Get("plain")).IsFromCache.Should().BeTrue();
    }

    [Fact]
    public async Task A_request_may_ignore_the_cache_and_refreshes_it()
    {
        await Get("plain");
        _text = "two";

        var asked = await _client.SendAsync(new CoapRequest(RequestCode.Get, "coap://server/plain") { IgnoresCache = true }).AsTask().WaitAsync(Patience);

        asked.PayloadText.Should().Be("two");
        (await Get("plain")).Should().BeEquivalentTo(new { IsFromCache = true, PayloadText = "two" });
    }

    [Fact, Trait("RFC", "8132 2")]
    public async Task FETCH_is_cached_by_its_payload()
    {
        foreach (var body in new byte[] { 1, 2, 1, 2 }) { await _client.FetchAsync("coap://server/plain", new[] { body }, 42).AsTask().WaitAsync(Patience); }

        _requests.Should().Be(2);
    }

    [Fact]
    public async Task The_next_call_sees_responses_that_were_stored_or_invalidated_manually()
    {
        _cache.Store(new CoapRequest(RequestCode.Get, "coap://server/plain"), new CoapResponse(ResponseCode.Content) { Payload = "told"u8.ToArray() });
        (await Get("plain")).PayloadText.Should().Be("told");

        _cache.Invalidate("COAP://Server:5683/plain");

        (await Get("plain")).PayloadText.Should().Be("one");
    }

    [Fact]
    public void Only_responses_to_GET_and_FETCH_are_stored_by_hand()
    {
        _cache.Invoking(cache => cache.Store(new CoapRequest(RequestCode.Put, "coap://server/a"), Response.Changed)).Should().Throw<ArgumentException>();
        _cache.Invoking(cache => cache.Store(new CoapRequest(RequestCode.Get), Response.Changed)).Should().Throw<ArgumentException>();
    }

    [Fact]
    public async Task Without_a_cache_every_call_goes_to_the_server()
    {
        await using var client = new CoapClient(new() { Network = _network });

        for (var i = 0; i < 3; i++) { await client.GetAsync("coap://server/plain").AsTask().WaitAsync(Patience); }

        (_requests, _cache.Count).Should().Be((3, 0));
    }

    private Task<CoapResponse> Get(string path, bool isSync = false) =>
        isSync ? Task.Run(() => _client.Get($"coap://server/{path}")).WaitAsync(Patience) : _client.GetAsync($"coap://server/{path}").AsTask().WaitAsync(Patience);

    private CoapResponse Plain(IncomingRequest request)
    {
        Interlocked.Increment(ref _requests);
        return new(ResponseCode.Content) { Payload = System.Text.Encoding.UTF8.GetBytes(_text) };
    }

    private CoapResponse Tagged(IncomingRequest request)
    {
        Interlocked.Increment(ref _requests);
        var tag = new ETag(new[] { (byte)_text.Length });
        if (request.Options.GetAll<ETag>().Contains(tag))
        {
            Interlocked.Increment(ref _validations);
            return new(ResponseCode.Valid) { Options = [tag] };
        }
        return new(ResponseCode.Content) { Options = [tag], Payload = System.Text.Encoding.UTF8.GetBytes(_text) };
    }

    private CoapResponse Change(IncomingRequest request)
    {
        _text = System.Text.Encoding.UTF8.GetString(request.Payload.Span);
        return Response.Changed;
    }

    private static CoapResponse Refuse(IncomingRequest request) => new(ResponseCode.Forbidden);
}
