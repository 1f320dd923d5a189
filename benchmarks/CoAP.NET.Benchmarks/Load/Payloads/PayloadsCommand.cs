namespace CoAP.Benchmarks.Load;

/// <summary>The cost of typed payloads: for each format, a handler with values beside one with as many bytes.</summary>
internal sealed class PayloadsCommand(RunSettings settings, Report report)
{
    private const int Outstanding = 64;

    private static readonly string[] Names = [.. MeasuredFormat.All.Select(static format => format.Name)];

    private readonly TimeSpan _time = TimeSpan.FromSeconds(settings.Form.Choose(0.1, 0.5, 1, 5));
    private readonly TimeSpan _warmUp = TimeSpan.FromSeconds(settings.Form.Choose(0.05, 0.5, 12, 15));
    private readonly int _rounds = settings.Repeats ?? settings.Form.Choose(1, 3, 9, 20);

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("payloads", arguments, Names);
        arguments.End();
        var report = new Report(settings, "The cost of typed payloads");
        report.Say($"POST over UDP with {Outstanding} outstanding. Each format has a server process.");
        report.Say($"The servers run on processor {Processors.Server}, the generator on {Processors.Client}.");
        report.Say("The typed handler reads a device reading (id, sequence number, time, three measured values) and answers with another one.");
        report.Say("The other handler copies as many bytes. All handlers take turns. Ratios and differences are medians of those within a round.");
        await new PayloadsCommand(settings, report).RunAsync();
        return report.ExitCode;
    }

    private async Task RunAsync()
    {
        var servers = new List<(MeasuredFormat Format, ServerProcess Process)>();
        try
        {
            foreach (var format in MeasuredFormat.All.Where(format => settings.Wants(format.Name)))
            {
                servers.Add((format, await StartAsync(format)));
            }
            var pairs = servers.ToDictionary(static server => server.Format, static _ => new List<PayloadPair>());
            for (var round = 0; round < _rounds; round++)
            {
                foreach (var (format, process) in servers)
                {
                    var typed = await MeasureAsync(process, TypedLoad(format), _time);
                    pairs[format].Add(new(typed, await MeasureAsync(process, BytesLoad(format), _time)));
                }
            }
            new PayloadTables([.. servers.Select(server => (server.Format, pairs[server.Format]))]).Add(report);
        }
        finally
        {
            foreach (var (_, process) in servers) { await process.DisposeAsync(); }
        }
    }

    /// <summary>Returns the requests to the typed resource. A good answer has the payload that is expected of the format.</summary>
    public static LoadSettings TypedLoad(MeasuredFormat format) => Requests(format) with
    {
        Path = PayloadsService.Typed,
        ContentFormat = format.Format.ContentFormat,
        Accept = format.Format.ContentFormat,
        Expected = format.Answer,
    };

    /// <summary>Returns requests with the same payload and as many bytes of options to the other resource.</summary>
    public static LoadSettings BytesLoad(MeasuredFormat format) => Requests(format) with
    {
        Path = PayloadsService.Bytes,
        ContentFormat = ContentFormats.OctetStream,
        Accept = ContentFormats.OctetStream,
        Expected = [.. format.Request[..^1], (byte)(format.Request[^1] + 1)],
    };

    private static LoadSettings Requests(MeasuredFormat format) => new()
    {
        Server = new IPEndPoint(IPAddress.Loopback, 0),
        Method = LoadSettings.Post,
        Payload = format.Request,
        Outstanding = Outstanding,
        WarmUp = TimeSpan.Zero,
        Patience = TimeSpan.FromSeconds(10),
    };

    // Both handlers warm up in turns, so that the compiler sees calls of both before it optimizes.
    private async Task<ServerProcess> StartAsync(MeasuredFormat format)
    {
        // A short warm-up leaves code half compiled. This setting compiles it in full at the first call.
        string[] compiled = settings.Form == RunForm.Quick ? ["env", "DOTNET_TieredCompilation=0"] : [];
        var process = await ServerProcess.StartAsync("payloads", [.. ServerProcess.On(Processors.Server), .. compiled], $"format={format.Name}");
        for (var turn = 0; turn < 2; turn++)
        {
            await MeasureAsync(process, TypedLoad(format), _warmUp / 2);
            await MeasureAsync(process, BytesLoad(format), _warmUp / 2);
        }
        return process;
    }

    private static async Task<PayloadCost> MeasureAsync(ServerProcess process, LoadSettings load, TimeSpan time)
    {
        var (handled, allocated) = (await process.AskNumberAsync(PayloadsService.Handled), await process.AskNumberAsync(PayloadsService.Allocated));
        LoadResult? result = null;
        var generator = new Thread(() =>
        {
            Processors.Pin(Processors.Client);
            result = Load.Run(load with { Server = process.EndPointOf("udp"), ServerProcess = process.Id, Duration = time });
        });
        generator.Start();
        generator.Join();
        allocated = await process.AskNumberAsync(PayloadsService.Allocated) - allocated;
        handled = await process.AskNumberAsync(PayloadsService.Handled) - handled;
        return new PayloadCost(result!, (double)allocated / handled);
    }
}
