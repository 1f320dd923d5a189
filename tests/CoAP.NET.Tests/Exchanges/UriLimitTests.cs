using CoAP.Options;

namespace CoAP.Tests.Exchanges;

/// <summary>Requests with long paths and queries. What is counted is the code of the user that runs for them.</summary>
public sealed class UriLimitTests : IAsyncDisposable
{
    private readonly InMemoryNetwork _network = new();
    private readonly CoapClient _client;
    private CoapServer? _server;
    private int _calls;

    public UriLimitTests() => _client = new CoapClient(new CoapClientSettings { Network = _network });

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        if (_server is not null) { await _server.DisposeAsync(); }
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public async Task A_path_with_too_many_segments_is_refused_without_any_other_work(string scheme)
    {
        Start(new());

        var within = await AskAsync(scheme, [.. Enumerable.Repeat(new UriPath("a"), 64)]);
        var calls = _calls;
        var beyond = await AskAsync(scheme, [.. Enumerable.Repeat(new UriPath("a"), 65)]);

        within.Should().Be("2.05");
        beyond.Should().Be("4.00 The path has 65 segments; at most 64 are accepted.");
        (calls, _calls).Should().Be((3, 3));
    }

    [Theory]
    [InlineData("2.05", 255, 255, 255, 255)]
    [InlineData("4.00 The path has 1026 bytes; at most 1024 are accepted.", 255, 255, 255, 255, 1)]
    public async Task A_path_of_too_many_bytes_is_refused(string expected, params int[] lengths)
    {
        Start(new());

        var answer = await AskAsync("coap+tcp", [.. lengths.Select(length => new UriPath(new string('a', length)))]);

        answer.Should().Be(expected);
    }

    [Fact]
    public async Task A_query_with_too_many_arguments_is_refused_without_any_other_work()
    {
        Start(new());

        var within = await AskAsync("coap", [.. Enumerable.Repeat(new UriQuery("a"), 64)]);
        var beyond = await AskAsync("coap", [.. Enumerable.Repeat(new UriQuery("a"), 65)]);

        within.Should().Be("2.05");
        beyond.Should().Be("4.00 The query has 65 arguments; at most 64 are accepted.");
        _calls.Should().Be(3);
    }

    [Fact]
    public async Task The_largest_datagram_of_empty_segments_is_refused()
    {
        Start(new());

        var answer = await AskAsync("coap+tcp", [.. Enumerable.Repeat(new UriPath(""), 65_000)]);

        answer.Should().Be("4.00 The path has 65000 segments; at most 64 are accepted.");
        _calls.Should().Be(0);
    }

    [Fact]
    public async Task The_limits_are_settings()
    {
        Start(new() { MaxPathSegments = 300, MaxPathLength = 5000, MaxQueryArguments = 200 });

        (await AskAsync("coap+tcp", [.. Enumerable.Repeat(new UriPath("abcdefghij"), 300)])).Should().Be("2.05");
        (await AskAsync("coap+tcp", [.. Enumerable.Repeat(new UriPath("a"), 301)])).Should().StartWith("4.00");
        (await AskAsync("coap+tcp", [.. Enumerable.Repeat(new UriQuery("a"), 201)])).Should().StartWith("4.00");
    }

    [Fact]
    public void The_limits_have_limits()
    {
        FluentActions.Invoking(() => new CoapServerSettings { MaxPathSegments = 0 }).Should().Throw<ArgumentOutOfRangeException>();
        FluentActions.Invoking(() => new CoapServerSettings { MaxPathLength = 0 }).Should().Throw<ArgumentOutOfRangeException>();
        FluentActions.Invoking(() => new CoapServerSettings { MaxQueryArguments = 0 }).Should().Throw<ArgumentOutOfRangeException>();
    }

    private void Start(CoapServerSettings settings)
    {
        _server = new CoapServer(settings with { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")] });
        _server.Authorize(_ => Counted(AuthorizationDecision.Allow()));
        _server.Use(next => (request, cancellationToken) => Counted(next)(request, cancellationToken));
        foreach (var template in new[] { "/", "{*path}" }) { _server.Resources.At(template).Get(_ => Counted(Response.Content("found"))); }
        _server.Start();
    }

    private T Counted<T>(T value)
    {
        Interlocked.Increment(ref _calls);
        return value;
    }

    private async Task<string> AskAsync(string scheme, CoapOption[] options)
    {
        var response = await _client.SendAsync(new CoapRequest(RequestCode.Get, $"{scheme}://server") { Options = [.. options] });
        return response.IsSuccess ? response.Code.ToString() : $"{response.Code} {response.PayloadText}";
    }
}
