using System.Globalization;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Browser;

/// <summary>Our sample web server as a process on a port that it picks.</summary>
internal sealed class SampleWebServer : IAsyncDisposable
{
    private const string WebSocket = "/.well-known/coap", Finished = "Request finished";
    private const string Listening = "Now listening on: ";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly RunningProgram _program;
    private readonly HttpClient _client = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Patience };

    private int _forgotten;

    private SampleWebServer(RunningProgram program, Uri address) => (_program, Address) = (program, address);

    public Uri Address { get; }

    public static async Task<SampleWebServer> StartAsync()
    {
        var program = RunningProgram.Start(
            RunningProgram.LongLife, "dotnet", Repository.Sample("SampleWebServer"), "--urls", "http://127.0.0.1:0",
            "--contentRoot", Path.Combine(Repository.Root, "samples", "SampleWebServer"),
            "--Logging:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics", "Information");
        var line = await program.LineAsync(line => line.Contains(Listening, StringComparison.Ordinal));
        return new(program, new Uri(line[(line.IndexOf(Listening, StringComparison.Ordinal) + Listening.Length)..]));
    }

    /// <summary>Begins a new test: what has ended until now does not count. No WebSocket is open.</summary>
    public void Forget() => _forgotten = _program.LineCount;

    /// <summary>Waits until the request that opened a WebSocket has ended: with 101 that is the end of the connection.</summary>
    public Task WebSocketEndedAsync(int status) => _program.LineAsync(
        line => line.Contains(Finished, StringComparison.Ordinal) && line.Contains($"{WebSocket} - {status} ", StringComparison.Ordinal), _forgotten);

    /// <summary>Waits until all WebSockets have ended.</summary>
    public async Task NoWebSocketsAsync()
    {
        using var patience = new CancellationTokenSource(Patience);
        while (Count("Request starting") != Count(Finished))
        {
            patience.Token.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }

    /// <summary>Waits until so many observe the time.</summary>
    public async Task ObserversAsync(int count)
    {
        using var patience = new CancellationTokenSource(Patience);
        var expected = count.ToString(CultureInfo.InvariantCulture);
        while (await _client.GetStringAsync(new Uri(Address, "observers"), patience.Token) != expected) { await Task.Yield(); }
    }

    /// <summary>Ends the server as an administrator does.</summary>
    public Task<Outcome> EndAsync() => _program.EndAsync(RunningProgram.Terminate);

    public override string ToString() => _program.ToString();

    public ValueTask DisposeAsync()
    {
        _client.Dispose();
        return _program.DisposeAsync();
    }

    private int Count(string what) => _program.CountLines(
        line => line.Contains(what, StringComparison.Ordinal) && line.Contains(WebSocket, StringComparison.Ordinal));
}
