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

    private static readonly string Secret = new('s', 32);

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;

    private string Sessions => Path.Combine(_folder, "sessions");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [SkippableFact]
    public async Task After_a_kill_all_clients_whose_sessions_are_in_the_file_go_on_without_a_handshake()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the processes are found in /proc");
        await using var first = await StartAsync("0");
        var port = (await first.PortAsync("coaps")).ToString(CultureInfo.InvariantCulture);
        CoapClient[] clients = [.. Enumerable.Range(0, Clients).Select(static _ => NewClient())];
        await Task.WhenAll(clients.Select(client => AskAsync(client, port)));

        await StoredAsync();
        await first.KillAsync();
        await using var second = await StartAsync(port);
        await Task.WhenAll(clients.Select(client => AskAsync(client, port)));
        await using (var stranger = NewClient()) { await AskAsync(stranger, port); }

        HandshakesOf(await second.EndAsync()).Should().Be(1, "only the stranger shakes hands");
        foreach (var client in clients) { await client.DisposeAsync(); }
    }

    private static CoapClient NewClient() =>
        new(new() { Dtls = new DtlsClientSettings { PreSharedKey = new PreSharedKey("device", System.Text.Encoding.ASCII.GetBytes(Key)) } });

    private static async Task AskAsync(CoapClient client, string port) =>
        (await client.GetAsync($"coaps://127.0.0.1:{port}/hello")).Code.Should().Be(ResponseCode.Content);

    // The server prints its metrics at the end.
    private static int HandshakesOf(Outcome server)
    {
        const string Name = "coap.dtls.sessions ";
        return int.Parse(server.Errors.Last(static line => line.StartsWith(Name, StringComparison.Ordinal))[Name.Length..], CultureInfo.InvariantCulture);
    }

    // A session whose handshake has just ended may not have reached the file. A copy tells, because the file has one owner.
    private async Task StoredAsync()
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (CountInCopy() < Clients) { await timer.WaitForNextTickAsync(); }
    }

    private int CountInCopy()
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder, Path.GetRandomFileName()));
        var copy = Path.Combine(folder.FullName, "sessions");
        File.Copy(Sessions, copy);
        using var store = new FileDtlsSessionStore(copy, System.Text.Encoding.ASCII.GetBytes(Secret));
        return store.TakeOver().Count;
    }

    private Task<Server> StartAsync(string port) => Server.StartAsync(
        "async", "--host", "127.0.0.1", "--dtls-port", port, "--psk", $"device:{Key}", "--metrics", "600",
        "--dtls-sessions", $"{Sessions}:{Secret}");
}
