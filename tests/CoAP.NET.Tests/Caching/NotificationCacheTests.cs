using CoAP.Options;
namespace CoAP.Tests.Caching;

/// <summary>A client that observes and has a cache: what it was notified of answers its requests (RFC 7641, section 3.3).</summary>
public sealed class NotificationCacheTests : IAsyncDisposable
{
    private const string Uri = "coap://server/seen";

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new(TimeProvider.System);
    private readonly CoapServer _server;
    private readonly CoapClient _client;
    private readonly Resource _resource;
    private volatile CoapResponse _state = Content("one");

    public NotificationCacheTests()
    {
        _server = new CoapServer(new() { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")] });
        _resource = _server.Resources.At("seen").Observable().Get((_, _) => new(_state));
        _server.Start();
        _client = new CoapClient(new() { Network = _network, Cache = new ResponseCache(new() { TimeProvider = _time }) });
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Theory, Trait("RFC", "7641 3.3")]
    [InlineData(3), InlineData(5000)]
    public async Task A_notification_takes_the_place_of_what_is_stored(int length)
    {
        (await Get()).Should().BeEquivalentTo(new { IsFromCache = false, PayloadText = "one" });
        var expected = new string('b', length);

        await ReadUntil(expected);
        _time.Advance(TimeSpan.FromSeconds(30));

        (await Get()).Should().BeEquivalentTo(new { IsFromCache = true, Age = TimeSpan.FromSeconds(30), PayloadText = expected });
    }

    [Fact, Trait("RFC", "7641 3.3.1")]
    public async Task A_notification_is_fresh_for_its_Max_Age()
    {
        await ReadUntil("two");
        _time.Advance(TimeSpan.FromSeconds(61));

        (await Get()).Should().BeEquivalentTo(new { IsFromCache = false, PayloadText = "two" });
    }

    [Fact, Trait("RFC", "7641 3.2")]
    public async Task An_error_that_ends_the_observation_replaces_the_stored_response()
    {
        await foreach (var notification in _client.ObserveAsync(Uri))
        {
            if (notification.Response.IsSuccess) { _server.Resources.Remove("seen"); }
        }

        (await Get()).Should().BeEquivalentTo(new { IsFromCache = true, Code = ResponseCode.NotFound });
    }

    private static CoapResponse Content(string text) => new(ResponseCode.Content) { Options = [new MaxAge(60)], Payload = System.Text.Encoding.ASCII.GetBytes(text) };

    // Registers, changes the state, and leaves when it has come.
    private async Task ReadUntil(string text)
    {
        await foreach (var notification in _client.ObserveAsync(Uri))
        {
            if (notification.Response.PayloadText == text) { break; }
            _state = Content(text);
            _resource.NotifyChanged();
        }
    }

    private Task<CoapResponse> Get() => _client.SendAsync(new CoapRequest(RequestCode.Get, Uri)).AsTask().WaitAsync(TimeSpan.FromMinutes(1));
}
