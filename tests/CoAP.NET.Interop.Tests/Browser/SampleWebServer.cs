using System.Globalization;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Browser;

/// <summary>Our sample web server as a process on a port that it picks.</summary>
internal sealed class SampleWebServer : IAsyncDisposable
{
    private const string Listening = "Now listening on: ";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly RunningProgram _program;
    private readonly HttpClient _client = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Patience };

    private SampleWebServer(RunningProgram program, Uri address) => (_program, Address) = (program, address);

    public Uri Address { get; }

    public static async Task<SampleWebServer> StartAsync()
    {
        var program = RunningProgram.Start(
            "dotnet", Repository.Sample("SampleWebServer"), "--urls", "http://127.0.0.1:0",
            "--contentRoot", Path.Combine(Repository.Root, "samples", "SampleWebServer"),
            "--Logging:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics", "Information");
        var line = await program.LineAsync(line => line.Contains(Listening, StringComparison.Ordinal));
        return new(program, new Uri(line[(line.IndexOf(Listening, StringComparison.Ordinal) + Listening.Length)..]));
    }

    /// <summary>Waits until the request that opened a WebSocket has ended: with 101 that is the end of the connection.</summary>
    public Task WebSocketEndedAsync(int status) => _program.LineAsync(line =>
        line.Contains("Request finished", StringComparison.Ordinal)
        && line.Contains($"/.well-known/coap - {status} ", StringComparison.Ordinal));

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
}
