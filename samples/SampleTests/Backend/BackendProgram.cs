using System.Net;
using CoAP.Interop.Tests.Programs;

namespace Backend.Tests;

/// <summary>The sample backend as a process on ports that it picks. It can be killed and started again on the same ports.</summary>
internal sealed class BackendProgram : IAsyncDisposable
{
    private const string Http = "Now listening on: ";
    private const string Plain = "listening coap://";
    private const string Secure = "listening coaps://";

    private readonly string[] _settings;
    private RunningProgram _program = null!;

    private BackendProgram(string[] settings) => _settings = settings;

    /// <summary>The address of the page.</summary>
    public Uri Page { get; private set; } = null!;

    /// <summary>The URI that paths of coap are appended to.</summary>
    public string Coap { get; private set; } = "";

    /// <summary>The URI that paths of coaps are appended to; empty without keys and certificate.</summary>
    public string Coaps { get; private set; } = "";

    /// <param name="settings">Settings of the section "Backend" as "Name=value".</param>
    public static async Task<BackendProgram> StartAsync(params string[] settings)
    {
        var backend = new BackendProgram(settings);
        await backend.StartAsync(coapPort: 0);
        return backend;
    }

    /// <summary>Kills it without a word to anybody, and starts it again.</summary>
    public async Task RestartAsync()
    {
        await _program.KillAsync();
        await _program.DisposeAsync();
        await StartAsync(IPEndPoint.Parse(Coap["coap://".Length..]).Port);
    }

    /// <summary>Ends it as an administrator does.</summary>
    public Task<Outcome> EndAsync() => _program.EndAsync(RunningProgram.Terminate);

    public Task<string> LineAsync(string part) => _program.LineAsync(line => line.Contains(part, StringComparison.Ordinal));

    public override string ToString() => _program.ToString();

    public ValueTask DisposeAsync() => _program.DisposeAsync();

    private async Task StartAsync(int coapPort)
    {
        string[] settings = ["AllowsPlainLoopback=true", $"Port={coapPort}", "SecurePort=0", "RetryAfter=00:00:00.2", .. _settings];
        _program = RunningProgram.Start(
            RunningProgram.LongLife, "dotnet",
            [Repository.Sample("Backend"), "--urls=http://127.0.0.1:0", $"--contentRoot={Path.Combine(Repository.Root, "samples", "Backend")}", .. settings.Select(static one => $"--Backend:{one}")]);
        Page = new Uri(await AddressAsync(Http));
        Coap = "coap://" + await AddressAsync(Plain);
        if (_settings.Any(static one => one.StartsWith("Keys:", StringComparison.Ordinal) || one.StartsWith("Certificate:", StringComparison.Ordinal))) { Coaps = "coaps://" + await AddressAsync(Secure); }
    }

    private async Task<string> AddressAsync(string before)
    {
        var line = await LineAsync(before);
        return line[(line.IndexOf(before, StringComparison.Ordinal) + before.Length)..];
    }
}
