namespace CoAP.Interop.Tests.Browser;

/// <summary>A page that has the sample's script and speaks to nobody; one for all tests of a class, made by the first.</summary>
public sealed class ScriptPage(SharedBrowser shared) : IAsyncLifetime
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

    private Tab? _tab;

    public Task InitializeAsync() => Task.CompletedTask;

    /// <summary>The value of an expression in which <c>coap</c> is the script's module.</summary>
    public async Task<string> EvaluateAsync(string expression)
    {
        if (_tab is null)
        {
            var browser = await shared.BrowserAsync();
            _tab = await browser.OpenAsync((await shared.ServerAsync()).Address, Setup);
        }
        return (await _tab.EvaluateAsync($"import('/coap.js').then(async coap => {expression})"))!.GetValue<string>();
    }

    public async Task DisposeAsync()
    {
        if (_tab is not null) { await _tab.CloseAsync(); }
    }
}
