using CoAP;
using CoAP.Interop.Tests.Browser;
using CoAP.Interop.Tests.Programs;
using Xunit;

namespace Backend.Tests;

/// <summary>The page of the sample backend, in a browser.</summary>
public sealed class BackendPageTests(BackendPageTests.SharedBrowser shared) : IClassFixture<BackendPageTests.SharedBrowser>, IAsyncLifetime
{
    private BackendProgram _backend = null!;
    private Chromium _browser = null!;

    public async Task InitializeAsync()
    {
        Needed.Programs(Needed.Chromium);
        _browser = await shared.GetAsync();
        _backend = await BackendProgram.StartAsync("Simulate=3");
    }

    public async Task DisposeAsync()
    {
        if (_backend is not null) { await _backend.DisposeAsync(); }
    }

    [SkippableFact]
    public async Task The_page_lists_the_controllers_and_plots_live_values()
    {
        var page = await _browser.OpenAsync(_backend.Page);

        await page.UntilAsync("document.querySelectorAll('#controllers tr').length === 3 && Number(document.getElementById('plot').dataset.points) >= 3");

        (await page.TextAsync("row-controller-1")).Should().MatchRegex(@"controller-1[\d,.]+ W[\d,.]+ W–\d\d:\d\d:\d\d");
        (await page.StateAsync("open")).Should().Be("Live · store: Memory");
    }

    [SkippableFact]
    public async Task A_set_point_from_the_page_reaches_the_controller_and_shows_in_the_table()
    {
        var page = await _browser.OpenAsync(_backend.Page);
        await page.UntilAsync("document.getElementById('name').textContent.startsWith('controller-')");

        await SetAsync(page, "750");

        await page.UntilAsync("document.getElementById('outcome').dataset.state === 'good'");
        await page.UntilAsync("document.querySelector('[aria-selected]').children[3].textContent === '750 W'");
    }

    [SkippableFact]
    public async Task A_controller_that_does_not_take_a_set_point_shows_as_an_error()
    {
        await using var mute = new CoapClient(new CoapClientSettings { Formats = Payloads.Formats });
        (await mute.PutAsync($"{_backend.Coap}/controllers/a-mute-one/readings", new Reading(1, DateTimeOffset.UtcNow, 5))).EnsureSuccess();
        var page = await _browser.OpenAsync(_backend.Page);
        await page.UntilAsync("document.getElementById('row-a-mute-one') !== null");
        await page.EvaluateAsync("document.getElementById('row-a-mute-one').click()");

        await SetAsync(page, "1");

        await page.UntilAsync("document.getElementById('outcome').dataset.state === 'bad'");
        (await page.TextAsync("outcome")).Should().StartWith("Kept, but not delivered: The controller answered 5.01");
    }

    [SkippableTheory]
    [InlineData("1e18", "1e18 + 128"), InlineData("1e18", "1e18"), InlineData("-1.7e308", "1.7e308"), InlineData("0", "5e-324")]
    public async Task The_plot_of_any_two_readings_ends(string one, string other)
    {
        var page = await _browser.OpenAsync(_backend.Page);

        await page.EvaluateAsync($$"""
            import('/plot.js').then(plot => {
              plot.draw(document.createElement('canvas'), [{ time: 0, watts: {{one}} }, { time: 1000, watts: {{other}} }], null);
              globalThis.isDrawn = true;
            })
            """);

        await page.UntilAsync("globalThis.isDrawn === true");
    }

    [SkippableFact]
    public async Task A_backend_that_has_ended_shows_as_an_error()
    {
        var page = await _browser.OpenAsync(_backend.Page);
        await page.StateAsync("open");

        (await _backend.EndAsync()).ExitCode.Should().Be(0);

        (await page.StateAsync("failed")).Should().StartWith("The backend does not answer.");
    }

    private static Task<System.Text.Json.Nodes.JsonNode?> SetAsync(Tab page, string watts) => page.EvaluateAsync(
        $"document.getElementById('watts').value = '{watts}'; document.getElementById('form').requestSubmit()");

    /// <summary>One browser for all tests. Each has a backend of its own, because it changes what the page shows.</summary>
    public sealed class SharedBrowser : IAsyncLifetime
    {
        private Task<Chromium>? _browser;

        public Task InitializeAsync() => Task.CompletedTask;

        public async Task DisposeAsync()
        {
            if (_browser is { IsCompletedSuccessfully: true }) { await (await _browser).DisposeAsync(); }
        }

        internal Task<Chromium> GetAsync() => _browser ??= Chromium.StartAsync();
    }
}
