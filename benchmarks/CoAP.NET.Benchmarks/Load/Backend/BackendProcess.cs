using System.Net.Http.Json;

namespace CoAP.Benchmarks.Load;

/// <summary>The sample backend as a process, which can be killed and started again on the same ports.</summary>
internal sealed class BackendProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly string[] _command;
    private readonly HttpClient _client = new(new SocketsHttpHandler { UseProxy = false });
    private readonly Uri _web;
    private Process _process;

    public BackendProcess(string program, string? connectionString)
    {
        var (coap, web) = (FreePort(ProtocolType.Udp), FreePort(ProtocolType.Tcp));
        Server = new IPEndPoint(IPAddress.Loopback, coap);
        _web = new Uri($"http://127.0.0.1:{web}");
        string[] store = connectionString is null ? [] : ["--Backend:Store=PostgreSql", $"--Backend:ConnectionString={connectionString}"];
        _command = [
            program, $"--urls={_web}", $"--contentRoot={Path.GetDirectoryName(program)}", "--Backend:AllowsPlainLoopback=true", $"--Backend:Port={coap}",
            $"--Backend:MaxControllersPerIdentity={BackendCommand.MostDevices}", "--Logging:LogLevel:Default=Warning", .. store];
        _process = Start();
    }

    public IPEndPoint Server { get; }

    public int Id => _process.Id;

    /// <summary>Ends the process at once and starts another one.</summary>
    public void Restart()
    {
        Kill();
        _process = Start();
    }

    /// <summary>Returns what is stored of each device, as soon as the backend answers.</summary>
    public async Task<Dictionary<string, (long Count, long First, long Last)>> StoredAsync()
    {
        for (var watch = Stopwatch.StartNew(); ;)
        {
            try
            {
                var stored = await _client.GetFromJsonAsync<Stored[]>(new Uri(_web, "api/stored"));
                return stored!.ToDictionary(static one => one.Device, static one => (one.Count, one.First, one.Last));
            }
            catch (HttpRequestException) when (watch.Elapsed < Patience) { await Task.Delay(200); }
        }
    }

    public void Dispose()
    {
        Kill();
        _client.Dispose();
    }

    private void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private Process Start() => Process.Start(new ProcessStartInfo("dotnet", _command) { RedirectStandardInput = true, RedirectStandardOutput = true })!;

    private static int FreePort(ProtocolType protocol)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, protocol == ProtocolType.Udp ? SocketType.Dgram : SocketType.Stream, protocol);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    private sealed record Stored(string Device, long Count, long First, long Last);
}
