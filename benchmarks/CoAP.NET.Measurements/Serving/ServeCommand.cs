using System.Diagnostics;
using System.Globalization;
using CoAP.Measurements.Clients;
using CoAP.Measurements.HandOffs;
using CoAP.Measurements.Meshes;
using CoAP.Measurements.Servers.Hosting;
using CoAP.Measurements.Siege;

namespace CoAP.Measurements.Serving;

/// <summary>The server of a measurement, in a process of its own: says where it listens, answers questions on its input, ends with it.</summary>
internal static class ServeCommand
{
    public const string Ready = "ready";

    public static async Task<int> RunAsync(RunSettings settings)
    {
        await using var service = await StartAsync(settings.Values);
        foreach (var address in service.Addresses) { Console.WriteLine(address); }
        Console.WriteLine(Ready);
        while (await Console.In.ReadLineAsync() is { } question) { Console.WriteLine(question + " " + Answer(question, service)); }
        return 0;
    }

    private static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values) => values["service"] switch
    {
        "coap" => CoapService.StartAsync(values),
        "line" => LineService.StartAsync(values),
        "transports" => TransportService.StartAsync(values),
        "single" => SingleService.StartAsync(values),
        "greeting" => GreetingService.StartAsync(),
        "handoff" => EchoService.StartAsync(values),
        "mesh" => MeshService.StartAsync(values),
        "drip" => DripService.StartAsync(values),
        "siege" => SiegeService.StartAsync(values),
        "attacker" => AttackService.StartAsync(values),
        var unknown => throw new ArgumentException($"There is no service '{unknown}'."),
    };

    private static string Answer(string question, IService service) => question switch
    {
        "cpu" => Environment.CpuUsage.TotalTime.TotalMicroseconds.ToString("R", CultureInfo.InvariantCulture),
        "memory" => Process.GetCurrentProcess().WorkingSet64.ToString(CultureInfo.InvariantCulture),
        "heap" => Heap().ToString(CultureInfo.InvariantCulture),
        "allocated" => GC.GetTotalAllocatedBytes().ToString(CultureInfo.InvariantCulture),
        _ => service.Answer(question),
    };

    // What had a finalizer is gone after the second collection.
    private static long Heap()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        return GC.GetTotalMemory(forceFullCollection: false);
    }
}
