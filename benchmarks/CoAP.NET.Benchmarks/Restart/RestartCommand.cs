using System.Security.Cryptography;
using CoAP.Dtls;

namespace CoAP.Benchmarks;

/// <summary>
/// The time for which a restarted DTLS server does not serve: it takes over the sessions of a file, and its lanes continue them. Beside it, the time to decrypt the
/// same bytes at once, which is the least that an encrypted file can take.
/// </summary>
internal static class RestartCommand
{
    private const int InAFlush = 8;     // sessions that begin while the file is written

    private static readonly byte[] Secret = RandomNumberGenerator.GetBytes(32);

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("restart", arguments);
        arguments.End();
        var report = new Report(settings, "The time until a restarted DTLS server has the sessions of its file");
        report.Say("Milliseconds by the clock, and those of processor time in parentheses. The ratio is that of processor times.");
        var table = new Table("times", "sessions", "after", "file", "take-over, first", "take-over", "on the lane", "decryption", "ratio");
        var folder = Directory.CreateTempSubdirectory("coap-");
        try
        {
            foreach (var count in settings.Form == RunForm.Dry ? [100] : new[] { 1_000, 10_000, 100_000 })
            {
                foreach (var isStop in new[] { false, true }) { await RunAsync(table, Path.Combine(folder.FullName, "sessions"), count, isStop, settings.Form == RunForm.Dry ? 1 : 5); }
            }
        }
        finally { folder.Delete(recursive: true); }
        report.Add(table);
        return report.ExitCode;
    }

    private static async Task RunAsync(Table table, string path, int count, bool isStop, int runs)
    {
        var (taken, continued) = (new List<Cost>(), new List<Cost>());
        long size = 0;
        for (var run = 0; run <= runs; run++)
        {
            File.Delete(path);
            Write(path, count, isStop);
            size = new FileInfo(path).Length;
            GC.Collect();
            var (takeOver, onLane) = await RestartAsync(path, count);
            taken.Add(takeOver);
            continued.Add(onLane);
        }
        var (takingOver, continuing) = (Cost.MedianOf(taken.Skip(1)), Cost.MedianOf(continued.Skip(1)));
        var baseline = Cost.MedianOf(Enumerable.Range(0, 5).Select(_ => Decrypt((int)size)));
        table.Add(
            $"{count:N0}", isStop ? "stop" : "kill", $"{size >> 10} KiB", $"{taken[0]}", $"{takingOver}", $"{continuing}", $"{baseline}",
            Runs.Format((takingOver.Processor + continuing.Processor) / baseline.Processor));
    }

    // As a server writes them: a few at a time while they begin, and all together when it stops.
    private static void Write(string path, int count, bool isStop)
    {
        using var store = new FileDtlsSessionStore(path, Secret);
        store.TakeOver();
        for (var number = 1; number <= count; number++)
        {
            store.Save(Session(number));
            if (number % InAFlush == 0) { store.Flush(); }
        }
        for (var number = 1; isStop && number <= count; number++) { store.Save(Session(number)); }
        store.Flush();
    }

    private static async Task<(Cost TakeOver, Cost OnLane)> RestartAsync(string path, int count)
    {
        var (left, last) = (count, new TaskCompletionSource<Moment>(TaskCreationOptions.RunContinuationsAsynchronously));
        using var store = new TimedStore(new FileDtlsSessionStore(path, Secret));
        await using var server = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.InMemory("server")],
            Network = new InMemoryNetwork(),
            Dtls = new DtlsServerSettings
            {
                PreSharedKeys = PskStore.From(new PreSharedKey("device", "a key of 16 bytes"u8)),
                SessionStore = store,
                MaxSessions = 2 * count,
                // Called for each session when it is continued.
                ContinuesPeer = _ =>
                {
                    if (--left == 0) { last.SetResult(Moment.Now); }
                    return false;
                },
            },
        });
        server.Start();
        var end = await last.Task.WaitAsync(TimeSpan.FromMinutes(1));
        return (store.TakeOverTime, end.Since(store.End));
    }

    private static Cost Decrypt(int length)
    {
        const int Repeats = 20;
        using var box = new SecretBox(Secret);
        var (text, sealedText) = (new byte[length], new byte[length + SecretBox.Overhead]);
        box.Seal(text, default, sealedText);
        var start = Moment.Now;
        for (var i = 0; i < Repeats; i++) { box.Open(sealedText, default, text); }
        var cost = Moment.Now.Since(start);
        return new(cost.Clock / Repeats, cost.Processor / Repeats);
    }

    private static DtlsSessionState Session(int number)
    {
        var address = PeerIdentity.FromIPv4(0x0A000000 + (uint)number, 5684);
        var id = new byte[8];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32LittleEndian(id.AsSpan(4), number);
        var suite = CipherSuite.Find(0xC0A8)!;
        var local = PeerIdentity.From("server");
        return new DtlsSessionState(new SessionContent(
            new(PeerNames.OfClient(address, id), local), new(address, local), IsServer: true, suite, new byte[SessionKeys.LengthOf(suite)], new(id, new byte[] { 1, 2, 3, 4 }))
        {
            HighestReceived = 3,
            MaxContent = 1024,
            KeyIdentity = System.Text.Encoding.UTF8.GetBytes($"device-{number}"),
            HeardAt = DateTimeOffset.UtcNow - TimeSpan.FromMilliseconds(number * 7919 % 1_000_003),
        });
    }
}
