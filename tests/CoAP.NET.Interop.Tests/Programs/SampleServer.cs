using System.Globalization;

namespace CoAP.Interop.Tests.Programs;

/// <summary>Our sample server as a process on ports that it picks.</summary>
internal sealed class SampleServer : IAsyncDisposable
{
    private const string Listening = "listening ";

    private readonly RunningProgram _program;

    private SampleServer(RunningProgram program) => _program = program;

    public static Task<SampleServer> StartAsync(string mode, params string[] more) => StartAsync(RunningProgram.ShortLife, mode, more);

    /// <summary>Starts one that is ended after this time.</summary>
    public static Task<SampleServer> StartForAsync(TimeSpan life, string mode) => StartAsync(life, mode, []);

    /// <summary>Starts one that serves all transports, with the key and the certificate of <see cref="SharedServers"/>.</summary>
    public static Task<SampleServer> StartWithAllEndpointsAsync(string mode, CertificateFiles files, TimeSpan life)
    {
        string[] dtls = DtlsPlatform.IsSupported ? ["--dtls-port", "0", "--psk", $"{SharedServers.Identity}:{SharedServers.Key}", "--ca", files.Authority] : [];
        return StartAsync(
            life, mode, ["--tls-port", "0", "--ws-port", "0", "--wss-port", "0", "--cert", files.Certificate, "--key", files.Key, .. dtls]);
    }

    /// <summary>Such as "coap+tcp://127.0.0.1:40001" for "coap+tcp" and "127.0.0.1".</summary>
    public async Task<string> BaseAsync(string scheme, string address)
    {
        var host = address.Contains(':') ? $"[{address}]" : address;
        var line = await _program.LineAsync(line => line.StartsWith($"{Listening}{scheme}://{host}:", StringComparison.Ordinal));
        return line[Listening.Length..];
    }

    public async Task<int> PortAsync(string scheme) =>
        int.Parse((await BaseAsync(scheme, "127.0.0.1")).Split(':')[^1], CultureInfo.InvariantCulture);

    /// <summary>The bytes of memory that the server holds now.</summary>
    public long ResidentBytes() => _program.ResidentBytes();

    /// <summary>Ends the server as an administrator does.</summary>
    public Task<Outcome> EndAsync() => _program.EndAsync(RunningProgram.Terminate);

    /// <summary>Ends the server at once, as a crash does.</summary>
    public Task<Outcome> KillAsync() => _program.KillAsync();

    private static async Task<SampleServer> StartAsync(TimeSpan life, string mode, string[] more)
    {
        var program = RunningProgram.Start(life, "dotnet", [Repository.Sample("SampleServer"), "--port", "0", "--mode", mode, .. more]);
        await program.LineAsync(line => line == "ready");
        return new(program);
    }

    public override string ToString() => _program.ToString();

    public ValueTask DisposeAsync() => _program.DisposeAsync();
}
