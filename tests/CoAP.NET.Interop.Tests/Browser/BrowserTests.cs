using System.Globalization;
using System.Text.Json.Nodes;

namespace CoAP.Interop.Tests.Browser;

/// <summary>A browser's WebSocket, from the page that the sample web server serves.</summary>
[Collection("Browser")]
[Trait("Category", "Interop")]
public sealed class BrowserTests(SharedBrowser shared) : IAsyncLifetime
{
    // Keeps the page's own WebSockets within reach, and lets them ask for another subprotocol.
    private const string Watched = """
        globalThis.sockets = [];
        globalThis.WebSocket = class extends WebSocket {
          constructor(url, subprotocol) {
            super(url, globalThis.otherSubprotocol ?? subprotocol);
            sockets.push(this);
            this.closing = new Promise(resolve => this.addEventListener('close', event => resolve(event.code)));
          }
        };
        """;

    private readonly List<Tab> _tabs = [];
    private SampleWebServer _server = null!;
    private Chromium _browser = null!;

    public async Task InitializeAsync()
    {
        _browser = await shared.BrowserAsync();
        _server = await shared.ServerAsync();
        await _server.NoWebSocketsAsync();
        _server.Forget();
    }

    public async Task DisposeAsync()
    {
        foreach (var tab in _tabs) { await tab.CloseAsync(); }
    }

    [SkippableFact, Trait("RFC", "8323 4.2")]
    public async Task A_page_gets_the_greeting_and_observes_the_time()
    {
        var page = await ObservingAsync(_browser);

        var times = (await page.EvaluateAsync("[...document.querySelectorAll('#times li')].map(line => line.textContent)"))!.AsArray();

        (await page.TextAsync("hello")).Should().Be("Hello, CoAP!");
        times.Reverse().Select(TimeOf).Should().HaveCountGreaterThanOrEqualTo(3).And.BeInAscendingOrder().And.OnlyHaveUniqueItems();
        (await page.EvaluateAsync("sockets[0].protocol"))!.GetValue<string>().Should().Be("coap");
    }

    [SkippableTheory, Trait("RFC", "8323 7.4")]
    [InlineData("closed"), InlineData("left"), InlineData("killed")]
    public async Task A_page_leaves_no_state_behind(string how)
    {
        await using var another = how == "killed" ? await Chromium.StartAsync() : null;
        var page = await ObservingAsync(another ?? _browser);
        await _server.ObserversAsync(1);

        await (how switch
        {
            "closed" => CloseAsync(page),
            "left" => page.GoAsync(new Uri("about:blank")),
            _ => another!.DisposeAsync().AsTask(),
        });

        await _server.WebSocketEndedAsync(101);
        await _server.ObserversAsync(0);
    }

    [SkippableFact, Trait("RFC", "8323 7.4")]
    public async Task A_page_that_stops_observing_stays_connected()
    {
        var page = await ObservingAsync(_browser);

        await page.EvaluateAsync("document.getElementById('stop').click()");

        await _server.ObserversAsync(0);
        (await page.StateAsync("open")).Should().StartWith("Connected");
        (await page.TextAsync("observing")).Should().Be("Stopped.");
    }

    [SkippableFact, Trait("RFC", "8323 4.1")]
    public async Task Another_subprotocol_is_refused_and_the_page_says_so()
    {
        var page = await OpenAsync(_browser, _server, "globalThis.otherSubprotocol = 'mqtt';" + Watched);

        var state = await page.StateAsync("failed");

        state.Should().Match("ws://*does not open a WebSocket*");
        (await ClosingAsync(page)).Should().Be(1006);
        await _server.WebSocketEndedAsync(400);
    }

    [SkippableTheory, Trait("RFC", "8323 4.2")]
    [InlineData("'GET /hello'", 1003, "binary")]
    [InlineData("new Uint8Array(17 << 20)", 1009, "messages of at most")]
    public async Task A_message_that_is_not_taken_is_answered_by_an_Abort_and_the_page_says_why(string message, int status, string reason)
    {
        var page = await ObservingAsync(_browser);

        await page.EvaluateAsync($"sockets[0].send({message})");

        (await ClosingAsync(page)).Should().Be(status);
        (await page.StateAsync("failed")).Should().Match($"The server aborted the connection: *{reason}*");
        await _server.WebSocketEndedAsync(101);
        await _server.ObserversAsync(0);
    }

    [SkippableFact, Trait("RFC", "8323 5.6")]
    public async Task A_malformed_message_is_answered_by_an_abort_that_the_page_shows()
    {
        var page = await ObservingAsync(_browser);

        await page.EvaluateAsync("sockets[0].send(Uint8Array.of(0x0F, 0x01))");     // a reserved token length

        (await page.StateAsync("failed")).Should().Match("The server aborted the connection: *token*");
        (await ClosingAsync(page)).Should().Be(1000);
        await _server.WebSocketEndedAsync(101);
        await _server.ObserversAsync(0);
    }

    [SkippableFact, Trait("RFC", "8323 5.5")]
    public async Task A_server_that_ends_releases_the_page()
    {
        await using var server = await SampleWebServer.StartAsync();
        var page = await ObservingAsync(_browser, server);

        var end = await server.EndAsync();

        (await page.StateAsync("ended")).Should().StartWith("The server released the connection");
        (await ClosingAsync(page)).Should().Be(1000);
        end.ExitCode.Should().Be(0, "{0}", end);
    }

    private async Task<Tab> ObservingAsync(Chromium browser, SampleWebServer? server = null)
    {
        var page = await OpenAsync(browser, server ?? _server, Watched);
        await page.UntilAsync("document.querySelectorAll('#times li').length >= 3");
        return page;
    }

    private async Task<Tab> OpenAsync(Chromium browser, SampleWebServer server, string before)
    {
        var page = await browser.OpenAsync(server.Address, before);
        // Another browser ends with its tabs.
        if (browser == _browser) { _tabs.Add(page); }
        return page;
    }

    private Task CloseAsync(Tab page)
    {
        _tabs.Remove(page);
        return page.CloseAsync();
    }

    private static async Task<int> ClosingAsync(Tab page) => (await page.EvaluateAsync("sockets[0].closing"))!.GetValue<int>();

    private static DateTime TimeOf(JsonNode? line) =>
        DateTime.ParseExact(line!.GetValue<string>(), "O", CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind);
}
