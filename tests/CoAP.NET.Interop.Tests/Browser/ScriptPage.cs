using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Browser;

/// <summary>A page that has the sample's script and speaks to nobody; one for all tests of a class, made by the first.</summary>
public sealed class ScriptPage : IAsyncLifetime
{
    private const string Setup = """
        globalThis.toHex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('').toUpperCase();
        globalThis.fromHex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));
        globalThis.WebSocket = class {
          static OPEN = 1;
          readyState = 1;
          said = [];
          send(bytes) { this.said.push(toHex(bytes)); }
          close() {
            this.readyState = 2;
            this.said.push('close');
          }
        };
        """;

    private SampleWebServer? _server;
    private Chromium? _browser;
    private Tab? _tab;

    public Task InitializeAsync() => Task.CompletedTask;

    /// <summary>The value of an expression in which <c>coap</c> is the script's module.</summary>
    public async Task<string> EvaluateAsync(string expression)
    {
        if (_tab is null)
        {
            Needed.Programs(Needed.Chromium);
            _server = await SampleWebServer.StartAsync();
            _browser = await Chromium.StartAsync();
            _tab = await _browser.OpenAsync(_server.Address, Setup);
        }
        return (await _tab.EvaluateAsync($"import('/coap.js').then(async coap => {expression})"))!.GetValue<string>();
    }

    public async Task DisposeAsync()
    {
        if (_browser is not null) { await _browser.DisposeAsync(); }
        if (_server is not null) { await _server.DisposeAsync(); }
    }
}
