namespace CoAP.Benchmarks.Load;

/// <summary>One load on a running server.</summary>
internal static class LoadCommand
{
    private const int MostSockets = 60_000, MostOutstanding = 1 << 20, MostSlots = 1 << 24, MostPayload = 60_000;

    private static readonly (string Name, double Share)[] Percentiles =
        [("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999)];

    public static Task<int> RunAsync(Arguments arguments)
    {
        var (settings, processor, csv) = (Read(arguments), arguments.Count("--cpu", 0, Environment.ProcessorCount - 1), arguments.Text("--csv", "a file"));
        arguments.End();
        if (processor is { } one) { Processors.Pin(one); }
        using var stop = new CancellationTokenSource();
        Console.CancelKeyPress += (_, pressed) => (pressed.Cancel, _) = (true, stop.CancelAsync());
        var result = Load.Run(settings, stop.Token);
        var table = ToTable(result);
        table.Print(Console.Out);
        if (csv is not null) { table.Save(csv); }
        return Task.FromResult(result.Tally.Good > 0 ? 0 : 1);
    }

    /// <summary>Reads the settings of a load.</summary>
    public static LoadSettings Read(Arguments arguments)
    {
        var defaults = new LoadSettings { Server = new IPEndPoint(IPAddress.Loopback, 5683) };
        var method = arguments.OneOf("--method", "get", "post", "put");
        var settings = defaults with
        {
            Method = method switch { "post" => LoadSettings.Post, "put" => LoadSettings.Put, _ => LoadSettings.Get },
            Payload = [.. Enumerable.Repeat((byte)'x', arguments.Count("--payload", 0, MostPayload) ?? 0)],
            IsConfirmable = !arguments.Flag("--non"),
            Sockets = arguments.Count("--sockets", 1, MostSockets) ?? defaults.Sockets,
            Outstanding = arguments.Count("--outstanding", 1, MostOutstanding) ?? defaults.Outstanding,
            Rate = arguments.Number("--rate", 0.001, int.MaxValue),
            Duration = arguments.Seconds("--duration", 0.001) ?? defaults.Duration,
            WarmUp = arguments.Seconds("--warm-up", 0) ?? defaults.WarmUp,
            Limit = arguments.Count("--count", 1, int.MaxValue) ?? defaults.Limit,
            Patience = arguments.Seconds("--patience", 0.001) ?? defaults.Patience,
            ServerProcess = arguments.Count("--pid", 1, int.MaxValue),
        };
        if (!Uri.TryCreate(arguments.Plain(), UriKind.Absolute, out var uri) || uri.Scheme is not ("coap" or "coap+tcp"))
        {
            throw new UsageException("A URI is missing; allowed are coap://HOST[:PORT]/PATH and coap+tcp://HOST[:PORT]/PATH.");
        }
        settings = settings with { IsTcp = uri.Scheme == "coap+tcp", Server = Resolve(uri), Path = uri.PathAndQuery.TrimStart('/') };
        return !settings.IsTcp || (long)settings.Sockets * settings.Outstanding <= MostSlots ? settings
            : throw new UsageException($"{settings.Sockets} connections with {settings.Outstanding} requests each are more than {MostSlots}.");
    }

    private static IPEndPoint Resolve(Uri uri)
    {
        try
        {
            var address = IPAddress.TryParse(uri.Host, out var known) ? known : Dns.GetHostAddresses(uri.Host)[0];
            return new IPEndPoint(address, uri.Port < 0 ? 5683 : uri.Port);
        }
        catch (SocketException)
        {
            throw new UsageException($"The host {uri.Host} is unknown.");
        }
    }

    private static Table ToTable(LoadResult result)
    {
        var (settings, tally) = (result.Settings, result.Tally);
        (string Name, string Value)[] rows =
        [
            ("load", settings.Rate is { } rate ? $"open loop of {rate} requests/s" : "closed loop"),
            ("sockets", $"{settings.Sockets}"), ("outstanding", $"{settings.Slots}"), ("seconds", Exact(result.Time.TotalSeconds)),
            ("requests/s", Exact(result.Rate)), ("good", $"{tally.Good}"),
            .. Percentiles.Select(one => ($"{one.Name} us", Exact(result.Microseconds(one.Share)))), ("max us", Exact(tally.Latencies.Max / 1000.0)),
            ("lost", $"{tally.Lost}"), ("errors", $"{tally.Errors} {tally.DescribeErrors()}".TrimEnd()), ("unsent", $"{tally.Unsent}"), ("strays", $"{tally.Strays}"),
            ("connections closed", $"{tally.Closed}"), ("refused by the system", $"{tally.Refusals}"),
            ("server CPU us/request", Exact(result.CpuPerAnswer)), ("server, share of a core", Exact(result.ServerShare)), ("server, resident MiB", Exact(result.ResidentMebibytes)),
            ("server, context switches/request", Exact(result.SwitchesPerAnswer)),
            ("generator, share of a core", Exact(result.GeneratorShare)), ("generator, bytes allocated", $"{result.GeneratorAllocated}"),
        ];
        var table = new Table("load", "figure", "value");
        foreach (var (name, value) in rows.Where(static row => row.Value.Length > 0)) { table.Add(name, value); }
        return table;
    }

    private static string Exact(double value) => double.IsFinite(value) ? value.ToString("0.###", CultureInfo.InvariantCulture) : "";
}
