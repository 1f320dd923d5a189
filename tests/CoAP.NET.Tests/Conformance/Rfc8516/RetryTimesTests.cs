using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A client keeps to the Max-Age of 4.29 (RFC 8516) and 5.03 (RFC 7252, section 5.9.3.4).</summary>
public sealed class RetryTimesTests : IAsyncDisposable
{
    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly CoapServer _server;
    private CoapClient _client;
    private CoapResponse _answer = Response.TooManyRequests(TimeSpan.FromSeconds(10));
    private int _requests;

    public RetryTimesTests()
    {
        _server = new CoapServer(new CoapServerSettings { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")] });
        _server.Resources.At("r/{id}").Get(Answer, HandlerMode.Inline).Put(Answer, HandlerMode.Inline);
        _server.Start();
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time });
    }

    public async ValueTask DisposeAsync()
    {
        await _time.PassAsync(_client.DisposeAsync().AsTask());
        await _server.DisposeAsync();
    }

    [Theory, Trait("RFC", "8516 3"), Trait("RFC", "8516 4"), Trait("RFC", "7252 5.9.3.4")]
    [InlineData(4, 29, false), InlineData(4, 29, true), InlineData(5, 3, false), InlineData(5, 3, true)]
    public async Task No_request_goes_out_before_the_time_has_passed(byte codeClass, byte detail, bool isSync)
    {
        _answer = new CoapResponse(new CoapCode(codeClass, detail)) { Options = [new MaxAge(10)], Payload = "later"u8.ToArray() };
        await SendAsync("coap://server/r/1", isSync);

        _time.Advance(TimeSpan.FromSeconds(9.5));
        var local = await SendAsync("coap://server/r/1", isSync);

        _requests.Should().Be(1);
        (local.Code, local.PayloadText, local.RetryAfter, local.IsFromCache).Should().Be((_answer.Code, "later", TimeSpan.FromSeconds(1), true));
        _time.Advance(TimeSpan.FromSeconds(0.5));
        _answer = Response.Content("now");
        (await SendAsync("coap://server/r/1", isSync)).PayloadText.Should().Be("now");
        (await SendAsync("coap://server/r/1", isSync)).PayloadText.Should().Be("now");
        _requests.Should().Be(3);
    }

    [Fact, Trait("RFC", "8516 3")]
    public async Task Other_resources_and_methods_are_not_affected()
    {
        await SendAsync("coap://server/r/1");

        await SendAsync("coap://server/r/2");
        await SendAsync("coap://server/r/1?a=b");
        await SendAsync("coap://server/r/1", method: RequestCode.Put);

        _requests.Should().Be(4);
    }

    [Fact]
    public async Task A_response_without_Max_Age_has_no_effect()
    {
        _answer = new CoapResponse(ResponseCode.ServiceUnavailable);

        for (var i = 0; i < 3; i++) { (await SendAsync("coap://server/r/1")).RetryAfter.Should().BeNull(); }

        _requests.Should().Be(3);
    }

    [Theory]
    [InlineData(0, 2), InlineData(20, 1)]
    public async Task The_setting_limits_the_time(int seconds, int requests)
    {
        _answer = Response.TooManyRequests(TimeSpan.FromDays(1000));
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, MaxRetryAfter = TimeSpan.FromSeconds(seconds) });
        await SendAsync("coap://server/r/1");

        await SendAsync("coap://server/r/1");
        _requests.Should().Be(requests);
        _time.Advance(TimeSpan.FromSeconds(20));
        await SendAsync("coap://server/r/1");

        _requests.Should().Be(requests + 1);
    }

    // The cache answers what is fresh, also while the server wants no requests.
    [Fact, Trait("RFC", "7252 5.6")]
    public async Task With_a_cache_a_refused_request_gets_the_refusal()
    {
        var cache = new ResponseCache(new ResponseCacheSettings { TimeProvider = _time });
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, Cache = cache });

        for (var i = 0; i < 3; i++) { (await SendAsync("coap://server/r/1", method: RequestCode.Put)).Code.Should().Be(ResponseCode.TooManyRequests); }
        for (var i = 0; i < 3; i++) { (await SendAsync("coap://server/r/1")).Code.Should().Be(ResponseCode.TooManyRequests); }

        _requests.Should().Be(2);
    }

    // Without the rule for the cache, a server could keep a client away for 136 years.
    [Theory, Trait("RFC", "8516 3"), Trait("RFC", "7252 5.9.3.4")]
    [InlineData(4, 29, false), InlineData(4, 29, true), InlineData(5, 3, false), InlineData(5, 3, true)]
    public async Task With_a_cache_the_setting_limits_the_time_as_well(byte codeClass, byte detail, bool isSync)
    {
        _answer = new CoapResponse(new CoapCode(codeClass, detail)) { Options = [new MaxAge(uint.MaxValue)] };
        UseCache(TimeSpan.FromSeconds(20));
        for (var i = 0; i < 3; i++) { (await SendAsync("coap://server/r/1", isSync)).Code.Should().Be(_answer.Code); }
        _requests.Should().Be(1);

        _time.Advance(TimeSpan.FromSeconds(20));
        _answer = Response.Content("now");

        (await SendAsync("coap://server/r/1", isSync)).PayloadText.Should().Be("now");
    }

    [Theory]
    [InlineData(4, 29, null), InlineData(5, 3, null), InlineData(4, 29, 100U), InlineData(5, 3, 100U)]
    public async Task With_a_cache_and_without_waiting_each_request_goes_out(byte codeClass, byte detail, uint? maxAge)
    {
        _answer = new CoapResponse(new CoapCode(codeClass, detail)) { Options = maxAge is { } seconds ? [new MaxAge(seconds)] : [] };
        UseCache(TimeSpan.Zero);

        for (var i = 0; i < 3; i++) { await SendAsync("coap://server/r/1"); }

        _requests.Should().Be(3);
    }

    [Fact]
    public async Task A_refusal_that_validates_a_cached_response_does_not_outlive_the_setting_and_the_response_can_still_be_validated()
    {
        UseCache(TimeSpan.FromSeconds(20));
        _answer = Response.Content("first", TimeSpan.FromSeconds(1)).With(new ETag(new byte[] { 1 }));
        await SendAsync("coap://server/r/1");
        _time.Advance(TimeSpan.FromSeconds(2));
        _answer = Response.Unavailable(TimeSpan.FromDays(1000));
        (await SendAsync("coap://server/r/1")).Code.Should().Be(ResponseCode.ServiceUnavailable);

        _time.Advance(TimeSpan.FromSeconds(20));
        _answer = new CoapResponse(ResponseCode.Valid) { Options = [new ETag(new byte[] { 1 })] };

        (await SendAsync("coap://server/r/1")).PayloadText.Should().Be("first");
        _requests.Should().Be(3);
    }

    [Fact]
    public async Task A_refusal_that_ends_an_observation_is_not_kept_in_the_cache()
    {
        var cache = UseCache(TimeSpan.FromSeconds(20));
        _answer = Response.Unavailable(TimeSpan.FromDays(1000));

        cache.Store(new CoapRequest(RequestCode.Get, "coap://server/r/1"), _answer);

        cache.Count.Should().Be(0);
        _answer = Response.Content("now");
        (await SendAsync("coap://server/r/1")).PayloadText.Should().Be("now");
    }

    // A server that refuses everything does not fill the memory, and leaves room for others.
    [Fact]
    public async Task One_server_can_use_at_most_a_quarter_of_the_table()
    {
        for (var i = 0; i < 300; i++) { await SendAsync($"coap://server/r/{i}"); }
        for (var i = 0; i < 300; i++) { await SendAsync($"coap://server/r/{i}"); }

        _requests.Should().Be(300 + 44);
        _time.Advance(TimeSpan.FromSeconds(10));
        await SendAsync("coap://server/r/299");
        await SendAsync("coap://server/r/299");
        _requests.Should().Be(300 + 44 + 1, "the times of the others have passed");
    }

    // 1,024 refusals with bodies would hold a gigabyte.
    [Theory]
    [InlineData(900, 900), InlineData(1024, 0)]
    public async Task A_large_refusal_is_remembered_without_its_payload(int length, int kept)
    {
        _answer = new CoapResponse(ResponseCode.ServiceUnavailable) { Options = [new MaxAge(10)], Payload = new byte[length] };
        (await SendAsync("coap://server/r/1")).Payload.Length.Should().Be(length);

        var local = await SendAsync("coap://server/r/1");

        (local.Code, local.Payload.Length, local.RetryAfter, local.IsFromCache).Should().Be((_answer.Code, kept, TimeSpan.FromSeconds(10), true));
        _requests.Should().Be(1);
    }

    private ResponseCache UseCache(TimeSpan maxRetryAfter)
    {
        var cache = new ResponseCache(new ResponseCacheSettings { TimeProvider = _time });
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, Cache = cache, MaxRetryAfter = maxRetryAfter });
        return cache;
    }

    private async Task<CoapResponse> SendAsync(string uri, bool isSync = false, CoapCode? method = null)
    {
        var request = new CoapRequest(method ?? RequestCode.Get, uri);
        return await (isSync ? Task.Run(() => _client.Send(request)) : _client.SendAsync(request).AsTask()).WaitAsync(TimeSpan.FromMinutes(1));
    }

    private CoapResponse Answer(IncomingRequest request)
    {
        Interlocked.Increment(ref _requests);
        return _answer;
    }
}
