namespace CoAP.Benchmarks.Load;

/// <summary>One server to be measured: "bare" or "CoAP", and how it runs.</summary>
internal sealed record ServerForm(string Service, ServerModel Model)
{
    // A process aborts at about 16,000 threads, and MaxConnectionThreads is below that.
    private const int MostBareThreads = 15_000;
    private const int MostCoapThreads = 12_000;

    private static readonly byte[] Line = "a line of thirty-one characters"u8.ToArray();

    public static IEnumerable<ServerForm> Echoing =>
        from service in new[] { "bare", "CoAP" }
        from model in new[] { ServerModel.Single, ServerModel.Cores, ServerModel.Threads }
        select new ServerForm(service, model);

    public static IEnumerable<ServerForm> Waiting => Enum.GetValues<ServerModel>().Select(static model => new ServerForm("CoAP", model));

    public string Name => Model switch
    {
        ServerModel.Single => "async, one thread",
        ServerModel.Cores => "async, all cores",
        ServerModel.Threads => "sync, a thread each",
        _ => "mixed",
    };

    /// <summary>Limits numbers of connections to those that the model can serve.</summary>
    public IEnumerable<int> Within(IEnumerable<int> connections)
    {
        var most = Model != ServerModel.Threads ? int.MaxValue : Service == "bare" ? MostBareThreads : MostCoapThreads;
        return connections.Select(count => Math.Min(count, most)).Distinct();
    }

    public Task<ServerProcess> StartAsync() => Service == "bare"
        ? ServerProcess.StartAsync("bare", [], $"form=tcp-{Model}")
        : ServerProcess.StartAsync("servers", [], $"model={Model}");

    /// <summary>Returns the reverse echo: each connection has one request in flight.</summary>
    public static LoadSettings Echo(ServerProcess server, int connections) => new()
    {
        Server = server.EndPointOf("tcp"),
        IsTcp = true,
        Sockets = connections,
        Outstanding = 1,
        Method = LoadSettings.Post,
        Path = "reverse",
        Payload = Line,
        Expected = [.. Line.Reverse()],
        Patience = TimeSpan.FromSeconds(15),
        ServerProcess = server.Id,
    };
}
