using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Browser;

/// <summary>One browser and one sample web server for all tests that leave both as they were. Both start when they are first needed.</summary>
public sealed class SharedBrowser : IAsyncLifetime
{
    private Task<SampleWebServer>? _server;
    private Task<Chromium>? _browser;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        if (_browser is { IsCompletedSuccessfully: true }) { await (await _browser).DisposeAsync(); }
        if (_server is { IsCompletedSuccessfully: true }) { await (await _server).DisposeAsync(); }
    }

    internal Task<SampleWebServer> ServerAsync() => _server ??= SampleWebServer.StartAsync();

    internal Task<Chromium> BrowserAsync()
    {
        Needed.Programs(Needed.Chromium);
        return _browser ??= Chromium.StartAsync();
    }
}
