using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Browser;

/// <summary>A Chromium without a window, with a profile of its own that goes with it. It reaches this machine alone.</summary>
internal sealed class Chromium : IAsyncDisposable
{
    private const string Listening = "DevTools listening on ";

    private readonly RunningProgram _program;
    private readonly DirectoryInfo _profile;
    private readonly DevTools _tools;
    private bool _hasEnded;

    private Chromium(RunningProgram program, DirectoryInfo profile, DevTools tools) =>
        (_program, _profile, _tools) = (program, profile, tools);

    public static async Task<Chromium> StartAsync()
    {
        var profile = Directory.CreateTempSubdirectory("coap-browser-");
        // Without a sandbox, because tests run in containers and as root, where it cannot be set up.
        var program = RunningProgram.Start(
            RunningProgram.LongLife, Needed.Chromium, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            $"--user-data-dir={profile.FullName}", "--remote-debugging-port=0", "about:blank");
        try
        {
            var line = await program.LineAsync(line => line.StartsWith(Listening, StringComparison.Ordinal));
            return new(program, profile, await DevTools.ConnectAsync(new Uri(line[Listening.Length..])));
        }
        catch
        {
            await EndAsync(program, profile);
            throw;
        }
    }

    /// <summary>Opens a tab.</summary>
    /// <param name="page">What it shows.</param>
    /// <param name="before">A script that runs before those of the page.</param>
    public Task<Tab> OpenAsync(Uri page, string before = "") => Tab.OpenAsync(_tools, page, before);

    public override string ToString() => _program.ToString();

    /// <summary>Ends it at once, without a word to anybody.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_hasEnded) { return; }
        _hasEnded = true;
        await EndAsync(_program, _profile);
        await _tools.DisposeAsync();
    }

    private static async Task EndAsync(RunningProgram program, DirectoryInfo profile)
    {
        await program.DisposeAsync();
        // What its processes had open may still be written for a moment.
        try { profile.Delete(recursive: true); }
        catch (IOException) { }
    }
}
