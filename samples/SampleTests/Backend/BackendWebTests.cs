using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CoAP;
using Xunit;

namespace Backend.Tests;

/// <summary>What the sample backend answers over HTTP.</summary>
public sealed class BackendWebTests(BackendWebTests.SharedBackend shared) : IClassFixture<BackendWebTests.SharedBackend>, IDisposable
{
    private readonly HttpClient _web = new(new SocketsHttpHandler { UseProxy = false });
    private readonly BackendProgram _backend = shared.Program;

    public void Dispose() => _web.Dispose();

    [Theory]
    [InlineData("Sec-Fetch-Site", "cross-site", HttpStatusCode.Forbidden)]
    [InlineData("Sec-Fetch-Site", "same-site", HttpStatusCode.Forbidden)]
    [InlineData("Sec-Fetch-Site", "same-origin", HttpStatusCode.OK)]
    [InlineData("Sec-Fetch-Site", "none", HttpStatusCode.OK)]
    [InlineData("Origin", "https://evil.example", HttpStatusCode.Forbidden)]
    [InlineData("Origin", "http://127.0.0.1:1", HttpStatusCode.Forbidden)]
    [InlineData("Origin", "null", HttpStatusCode.Forbidden)]
    public async Task Pages_of_other_sites_are_refused(string field, string value, HttpStatusCode expected)
    {
        using var read = await SendAsync(HttpMethod.Get, "api/stored", field, value);
        using var write = await SendAsync(HttpMethod.Put, "api/controllers/nobody/setpoint", field, value);

        read.StatusCode.Should().Be(expected);
        write.StatusCode.Should().Be(expected == HttpStatusCode.OK ? HttpStatusCode.NotFound : expected, "there is no controller");
    }

    [Fact]
    public async Task The_page_itself_may_write()
    {
        using var write = await SendAsync(HttpMethod.Put, "api/controllers/nobody/setpoint", "Origin", _backend.Page.GetLeftPart(UriPartial.Authority));

        write.StatusCode.Should().Be(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task An_address_with_too_many_pages_gets_429_until_one_closes()
    {
        await using var backend = await BackendProgram.StartAsync("MaxPagesPerAddress=2");
        var page = new Uri(backend.Page, "api/live");
        var first = await WatchAsync(page);
        using var second = await WatchAsync(page);

        using var third = await WatchAsync(page);
        first.Dispose();

        third.StatusCode.Should().Be(HttpStatusCode.TooManyRequests);
        third.Headers.RetryAfter.Should().NotBeNull();
        await UntilOpenAsync(page);
    }

    [Fact]
    public async Task A_page_gets_the_controllers_that_it_asks_for()
    {
        await using var client = new CoapClient(new CoapClientSettings { Formats = Payloads.Formats });
        foreach (var id in new[] { "pump", "fan", "valve" }) { (await client.PostAsync($"{_backend.Coap}/controllers/{id}", "")).EnsureSuccess(); }

        using var page = await WatchAsync(new Uri(_backend.Page, "api/live?id=valve&id=pump&id=unknown"));
        using var lines = new StreamReader(await page.Content.ReadAsStreamAsync());
        var update = JsonSerializer.Deserialize((await lines.ReadLineAsync())!["data: ".Length..], WebContracts.Default.LiveUpdate)!;

        update.Controllers.Select(static one => one.Id).Should().Equal("pump", "valve");
        update.Total.Should().Be(3);
    }

    // The server sees late that a page has closed.
    private async Task UntilOpenAsync(Uri page)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        while (true)
        {
            using var response = await _web.GetAsync(page, HttpCompletionOption.ResponseHeadersRead, patience.Token);
            if (response.StatusCode == HttpStatusCode.OK) { return; }
        }
    }

    private Task<HttpResponseMessage> WatchAsync(Uri page) => _web.GetAsync(page, HttpCompletionOption.ResponseHeadersRead);

    private Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, string field, string value)
    {
        var request = new HttpRequestMessage(method, new Uri(_backend.Page, path)) { Headers = { { field, value } } };
        if (method == HttpMethod.Put) { request.Content = JsonContent.Create(new { watts = 5 }); }
        return _web.SendAsync(request);
    }

    /// <summary>One backend for all tests that change none of its state.</summary>
    public sealed class SharedBackend : IAsyncLifetime
    {
        internal BackendProgram Program { get; private set; } = null!;

        public async Task InitializeAsync() => Program = await BackendProgram.StartAsync();

        public Task DisposeAsync() => Program.DisposeAsync().AsTask();
    }
}
