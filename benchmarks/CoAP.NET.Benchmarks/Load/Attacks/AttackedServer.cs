namespace CoAP.Benchmarks.Load;

/// <summary>A server under attack: a sample server that starts for one attack, a service of this program, or a server that runs already.</summary>
internal sealed class AttackedServer : IAsyncDisposable
{
    private static readonly string[] Held = ["coap.ledger.used", "coap.request.active", "coap.observation.active", "coap.connection.active"];

    private static readonly byte[] KeyBytes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

    // The sample server prints its counters once a second.
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, int> _ports;
    private PeerProcess? _sample;
    private ServerProcess? _service;
    private ServerProcess? _attacker;

    private AttackedServer(int? process, int udp, int tcp, int? tls, int? dtls)
    {
        Process = process;
        _ports = new() { ["coap"] = udp, ["coap+tcp"] = tcp };
        if (tls is { } tlsPort) { _ports["coaps+tcp"] = tlsPort; }
        if (dtls is { } dtlsPort) { _ports["coaps"] = dtlsPort; }
    }

    /// <summary>The key of honest peers over DTLS.</summary>
    public static PreSharedKey Key { get; } = new("honest", KeyBytes);

    // The process whose memory is measured.
    private int? Process { get; }

    /// <summary>The greatest resident set so far in MiB; "unknown" without a process.</summary>
    public string Resident => Process is { } process ? $"{ProcessMemory.Peak($"{process}") >> 20}" : "unknown";

    /// <summary>The resident set at the moment in MiB.</summary>
    public string ResidentNow => Process is { } process ? $"{ProcessMemory.Resident($"{process}") >> 20}" : "unknown";

    // Its ports for the attacker.
    private string[] Values => [$"udp={_ports["coap"]}", $"tcp={_ports["coap+tcp"]}", $"tls={_ports.GetValueOrDefault("coaps+tcp")}", $"dtls={_ports.GetValueOrDefault("coaps")}"];

    /// <summary>A server that runs already. Its counters cannot be read.</summary>
    public static AttackedServer Running(AttacksPlan plan) => new(plan.Process, plan.Server!.Port, plan.Server.Port, plan.TlsPort, plan.DtlsPort);

    public static AttackedServer Start(string sample)
    {
        var (tls, dtls) = (FreePort(), FreePort());
        string[] program = sample.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ? ["dotnet", sample] : [sample];
        string[] secured = DtlsPlatform.IsSupported ? ["--dtls-port", $"{dtls}", "--psk", $"{Key.Identity}:0x{Convert.ToHexString(KeyBytes)}"] : [];
        var process = PeerProcess.Start(
            new Peer(sample, "", [.. program, "--host", "127.0.0.1", "--port", "{port}", "--tls-port", $"{tls}", "--metrics", "1", .. secured]), Processors.Server);
        return new(process.Id, process.Port, process.Port, tls, DtlsPlatform.IsSupported ? dtls : null) { _sample = process };
    }

    public static async Task<AttackedServer> StartOwnAsync()
    {
        var service = await ServerProcess.StartAsync("attacked", ServerProcess.On(Processors.Server));
        return new(service.Id, service.PortOf("udp"), service.PortOf("tcp"), service.PortOf("tls"), DtlsPlatform.IsSupported ? service.PortOf("dtls") : null)
        {
            _service = service,
        };
    }

    public bool Has(string scheme) => _ports.ContainsKey(scheme);

    public string UriOf(string scheme) => $"{scheme}://127.0.0.1:{_ports[scheme]}";

    /// <summary>Returns the attacker, a process of its own, so that it does not disturb the honest peers.</summary>
    /// <param name="rate">The datagrams a second of a flood.</param>
    public async Task<ServerProcess> AttackerAsync(double rate) => _attacker ??= await ServerProcess.StartAsync(
        "attacker", ServerProcess.On(Processors.Client), [.. Values, string.Create(CultureInfo.InvariantCulture, $"flood={rate}")]);

    /// <summary>Load that lets the server compile its code.</summary>
    public void WarmUp(TimeSpan time)
    {
        foreach (var isTcp in new[] { false, true })
        {
            Load.Run(new LoadSettings
            {
                Server = new IPEndPoint(IPAddress.Loopback, _ports[isTcp ? "coap+tcp" : "coap"]),
                IsTcp = isTcp,
                Sockets = 4,
                WarmUp = TimeSpan.Zero,
                Duration = time,
            });
        }
    }

    /// <summary>Waits until the server holds nothing for peers, as it counts it. Returns what it still holds; "unknown" if its counters cannot be read.</summary>
    public async Task<string> HeldAsync(TimeSpan patience)
    {
        if (_sample is null && _service is null) { return "unknown"; }
        var watch = Stopwatch.StartNew();
        string held;
        while ((held = await HeldAsync()) != "nothing" && watch.Elapsed < patience) { await Task.Delay(Interval); }
        return held;
    }

    /// <summary>Returns the bytes of log lines so far; "" if they are not counted.</summary>
    public async Task<string> LogAsync() => _service is null ? "" : $"{await _service.AskNumberAsync("log"):N0} bytes of log";

    /// <summary>Returns the longest pause of a garbage collection so far in milliseconds; "unknown" if the server cannot be asked.</summary>
    public async Task<string> PauseAsync()
    {
        if (_service is not null) { return Rounded(double.Parse(await _service.AskAsync("pause"), CultureInfo.InvariantCulture)); }
        return _sample?.Metrics.TryGetValue("dotnet.pauses.longest_ms", out var longest) == true ? Rounded(longest) : "unknown";
    }

    /// <summary>Returns the bytes of live objects after a full collection; <c>null</c> if the server cannot be asked.</summary>
    public async Task<long?> LiveAsync() => _service is null ? null : await _service.AskNumberAsync("heap");

    public async ValueTask DisposeAsync()
    {
        if (_attacker is not null) { await _attacker.DisposeAsync(); }
        _sample?.Dispose();
        if (_service is not null) { await _service.DisposeAsync(); }
    }

    private async Task<string> HeldAsync()
    {
        var counters = _sample?.Metrics ?? (await _service!.AskAsync("counters")).Split(' ').Select(static one => one.Split('='))
            .ToDictionary(static one => one[0], static one => double.Parse(one[1], CultureInfo.InvariantCulture));
        var held = Held.Where(name => counters.GetValueOrDefault(name) != 0).Select(name => $"{counters[name]:0} {name.Split('.')[1]}").ToArray();
        return held.Length == 0 ? "nothing" : string.Join(", ", held);
    }

    private static string Rounded(double milliseconds) => milliseconds.ToString("0.0", CultureInfo.InvariantCulture);

    private static int FreePort()
    {
        using var probe = BareService.Bind(isTcp: true, 0);
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }
}
