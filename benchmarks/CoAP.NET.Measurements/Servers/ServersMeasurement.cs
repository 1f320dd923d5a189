using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Servers;

/// <summary>Sync against async servers: a reverse echo over bare sockets and over CoAP, memory of idle connections, and handlers that wait.</summary>
internal static class ServersMeasurement
{
    private const string Talk = "\"Performance of synchronous and asynchronous I/O in network applications\" (parallel 2015)";

    public static async Task<int> RunAsync(RunSettings settings)
    {
        if (!OperatingSystem.IsLinux())
        {
            Console.Error.WriteLine("This measurement reads /proc: it runs on Linux only.");
            return 2;
        }
        var plan = Plan.Of(settings);
        var report = new Report(settings, "Sync against async servers", Talk);
        report.Say("Client and server are two processes of one machine. No processor is reserved for either.");
        if (settings.Wants("echo")) { await new EchoRuns(plan, report).RunAsync(); }
        if (settings.Wants("memory")) { await new MemoryRuns(plan, report).RunAsync(); }
        if (settings.Wants("waiting")) { await new WaitingRuns(plan, report).RunAsync(); }
        report.Add(OfTheTalk());
        return report.ExitCode;
    }

    // The extracted text of the talk has no axes: its pictures are lost, what is said in words is here.
    private static Table OfTheTalk()
    {
        var table = new Table("talk", "the talk", "its figure");
        table.Add("machines", "two, each 2 x Xeon E5-2666 with 10 cores, 10 Gb Ethernet, Linux 3.16, C++ with Boost.Asio");
        table.Add("connections", "500,000 on each");
        table.Add("system calls, blocking", "3-e to receive, 1 to send; 1-e thread switches");
        table.Add("system calls, asynchronous", "2+e to receive, 1+e to send; 1 task switch each");
        table.Add("conclusion", "all cores saturated either way, the same path through the network stack, different memory");
        return table;
    }
}
