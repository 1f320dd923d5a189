using System.Globalization;
using System.Text.Json.Nodes;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Browser;

/// <summary>A browser's WebSocket, from the page that the sample web server serves.</summary>
[Collection("Interop")]
[Trait("Category", "Interop")]
public sealed class BrowserTests : IAsyncLifetime
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

    private SampleWebServer _server = null!;
    private Chromium _browser = null!;

    public async Task InitializeAsync()
    {
        Needed.Programs(Needed.Chromium);
        try
        {
            _server = await SampleWebServer.StartAsync();
            _browser = await Chromium.StartAsync();
        }
        catch
        {
            await DisposeAsync();
            throw;
        }
    }

    public async Task DisposeAsync()
    {
        if (_browser is not null) { await _browser.DisposeAsync(); }
        if (_server is not null) { await _server.DisposeAsync(); }
    }

    [SkippableFact, Trait("RFC", "8323 4.2")]
    public async Task A_page_gets_the_greeting_and_observes_the_time()
    {
        var page = await ObservingAsync();

        var times = (await page.EvaluateAsync("[...document.querySelectorAll('#times li')].map(line => line.textContent)"))!.AsArray();

        (await page.TextAsync("hello")).Should().Be("Hello, CoAP!");
        times.Reverse().Select(TimeOf).Should().HaveCountGreaterThanOrEqualTo(3).And.BeInAscendingOrder().And.OnlyHaveUniqueItems();
        (await page.EvaluateAsync("sockets[0].protocol"))!.GetValue<string>().Should().Be("coap");
    }

    [SkippableTheory, Trait("RFC", "8323 7.4")]
    [InlineData("closed"), InlineData("left"), InlineData("killed")]
    public async Task A_page_leaves_no_state_behind(string how)
    {
        var page = await ObservingAsync();
        await _server.ObserversAsync(1);

        await (how switch
        {
            "closed" => page.CloseAsync(),
            "left" => page.GoAsync(new Uri("about:blank")),
            _ => _browser.DisposeAsync().AsTask(),
        });

        await _server.WebSocketEndedAsync(101);
        await _server.ObserversAsync(0);
    }

    [SkippableFact, Trait("RFC", "8323 7.4")]
    public async Task A_page_that_stops_observing_stays_connected()
    {
        var page = await ObservingAsync();

        await page.EvaluateAsync("document.getElementById('stop').click()");

        await _server.ObserversAsync(0);
        (await page.StateAsync("open")).Should().StartWith("Connected");
        (await page.TextAsync("observing")).Should().Be("Stopped.");
    }

    [SkippableFact, Trait("RFC", "8323 4.1")]
    public async Task Another_subprotocol_is_refused_and_the_page_says_so()
    {
        var page = await _browser.OpenAsync(_server.Address, "globalThis.otherSubprotocol = 'mqtt';" + Watched);

        var state = await page.StateAsync("failed");

        state.Should().Match("ws://*does not open a WebSocket*");
        (await ClosingAsync(page)).Should().Be(1006);
        await _server.WebSocketEndedAsync(400);
    }

    [SkippableTheory, Trait("RFC", "8323 4.2")]
    [InlineData("'GET /hello'", 1003, "binary")]
    [InlineData("new Uint8Array(4 << 20)", 1009, "messages of at most")]
    public async Task A_message_that_is_not_taken_closes_the_connection_and_the_page_says_why(string message, int status, string reason)
    {
        var page = await ObservingAsync();

        await page.EvaluateAsync($"sockets[0].send({message})");

        (await ClosingAsync(page)).Should().Be(status);
        (await page.StateAsync("failed")).Should().Match($"*closed*{status}*{reason}*");
        await _server.WebSocketEndedAsync(101);
        await _server.ObserversAsync(0);
    }

    [SkippableFact, Trait("RFC", "8323 5.6")]
    public async Task A_malformed_message_is_answered_by_an_abort_that_the_page_shows()
    {
        var page = await ObservingAsync();

        await page.EvaluateAsync("sockets[0].send(Uint8Array.of(0x0F, 0x01))");     // a reserved token length

        (await page.StateAsync("failed")).Should().Match("The server aborted the connection: *token*");
        (await ClosingAsync(page)).Should().Be(1000);
        await _server.WebSocketEndedAsync(101);
        await _server.ObserversAsync(0);
    }

    [SkippableFact, Trait("RFC", "8323 5.5")]
    public async Task A_server_that_ends_releases_the_page()
    {
        var page = await ObservingAsync();

        var end = await _server.EndAsync();

        (await page.StateAsync("ended")).Should().StartWith("The server released the connection");
        (await ClosingAsync(page)).Should().Be(1000);
        end.ExitCode.Should().Be(0, "{0}", end);
    }

    private async Task<Tab> ObservingAsync()
    {
        var page = await _browser.OpenAsync(_server.Address, Watched);
        await page.UntilAsync("document.querySelectorAll('#times li').length >= 3");
        return page;
    }

    private static async Task<int> ClosingAsync(Tab page) => (await page.EvaluateAsync("sockets[0].closing"))!.GetValue<int>();

    private static DateTime TimeOf(JsonNode? line) =>
        DateTime.ParseExact(line!.GetValue<string>(), "O", CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind);
}
