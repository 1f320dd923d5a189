namespace CoAP.Benchmarks.Load;

/// <summary>Runs the server of a measurement in this process: prints its addresses, answers questions on its input, and ends with the input.</summary>
internal static class ServeCommand
{
    public const string Ready = "ready";

    private static readonly Dictionary<string, Func<ServiceValues, Task<IService>>> Services = new()
    {
        ["bare"] = BareService.StartAsync,
        ["greeting"] = ClientsCommand.ServeAsync,
        ["echo"] = EchoService.StartAsync,
        ["zeromq"] = ZeroMqService.StartAsync,
        ["servers"] = ServersService.StartAsync,
        ["mesh"] = MeshService.StartAsync,
        ["http"] = HttpService.StartAsync,
        ["slow"] = SlowService.StartAsync,
        ["transports"] = TransportsService.StartAsync,
        ["observers"] = ObserversCommand.ServeAsync,
        ["payloads"] = PayloadsService.StartAsync,
        ["drip"] = DripService.StartAsync,
        ["siege"] = SiegeService.StartAsync,
        ["attacked"] = AttackedService.StartAsync,
        ["attacker"] = AttackService.StartAsync,
    };

    public static async Task<int> RunAsync(string[] args)
    {
        await using var service = await Services[args[0]](ServiceValues.Parse(args[1..]));
        foreach (var address in service.Addresses) { Console.WriteLine(address); }
        Console.WriteLine(Ready);
        while (await Console.In.ReadLineAsync() is { } question) { Console.WriteLine($"{question} {Answer(question, service)}"); }
        return 0;
    }

    private static string Answer(string question, IService service) => question switch
    {
        "heap" => $"{LiveHeap()}",
        _ => service.Answer(question),
    };

    // The second collection takes the objects with finalizers.
    private static long LiveHeap()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        return GC.GetTotalMemory(forceFullCollection: false);
    }
}
