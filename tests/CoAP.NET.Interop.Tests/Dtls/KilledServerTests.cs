using System.Diagnostics.Metrics;
using System.Globalization;
using CoAP.Interop.Tests.Programs;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>A server process that keeps its sessions in a file, is killed, and starts again.</summary>
[Trait("Category", "Interop")]
public sealed class KilledServerTests : IDisposable
{
    private const int Clients = 200;
    private const string Key = "a key of 16 bytes";

    private static readonly TransmissionParameters Fast = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromMilliseconds(500) };

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;
    private readonly MeterListener _listener = new();
    private int _handshakes;

    public KilledServerTests()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == "coap.dtls.sessions") { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((_, count, _, _) => Interlocked.Add(ref _handshakes, (int)count));
        _listener.Start();
    }

    public void Dispose()
    {
        _listener.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [SkippableFact]
    public async Task After_a_kill_nearly_all_clients_go_on_without_a_handshake()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the processes are found in /proc");
        await using var first = await StartAsync("0");
        var port = (await first.PortAsync("coaps+udp")).ToString(CultureInfo.InvariantCulture);
        CoapClient[] clients = [.. Enumerable.Range(0, Clients).Select(static number => new CoapClient(new()
        {
            Dtls = new DtlsClientSettings { PreSharedKey = new PreSharedKey("device", System.Text.Encoding.ASCII.GetBytes(Key)) },
            Transmission = Fast,
        }))];
        await Task.WhenAll(clients.Select(client => AskAsync(client, port)));
        Volatile.Read(ref _handshakes).Should().Be(Clients);

        await first.KillAsync();
        await using var second = await StartAsync(port);
        await Task.WhenAll(clients.Select(client => AskAsync(client, port)));

        // A session whose handshake had just ended may not have reached the file.
        (Volatile.Read(ref _handshakes) - Clients).Should().BeLessThanOrEqualTo(Clients / 20);
        foreach (var client in clients) { await client.DisposeAsync(); }
    }

    private static async Task AskAsync(CoapClient client, string port) =>
        (await client.GetAsync($"coaps://127.0.0.1:{port}/hello")).Code.Should().Be(ResponseCode.Content);

    private Task<Server> StartAsync(string port) => Server.StartAsync(
        "async", "--host", "127.0.0.1", "--dtls-port", port, "--psk", $"device:{Key}", "--dtls-sessions", $"{Path.Combine(_folder, "sessions")}:{new string('s', 32)}");
}
