using CoAP.Measurements.Servers.Hosting;
using CoAP.Measurements.Servers.Load;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Servers;

/// <summary>One server to be measured.</summary>
/// <param name="Service">"line" or "coap".</param>
/// <param name="Model">How it runs.</param>
internal sealed record ServerForm(string Service, ServerModel Model)
{
    // A process aborts at about 16,000 threads, and our server's own limit is below that.
    private const int MostThreadsOfLine = 15_000;
    private const int MostThreadsOfCoap = 12_000;

    public static IEnumerable<ServerForm> Echoing =>
        from service in new[] { "line", "coap" }
        from model in new[] { ServerModel.Single, ServerModel.Cores, ServerModel.Threads }
        select new ServerForm(service, model);

    public static IEnumerable<ServerForm> Waiting => Enum.GetValues<ServerModel>().Select(static model => new ServerForm("coap", model));

    public string Name => Model switch
    {
        ServerModel.Single => "async, one thread",
        ServerModel.Cores => "async, all cores",
        ServerModel.Threads => "sync, a thread each",
        _ => "mixed",
    };

    public Wire Wire => Service == "line" ? Wire.Line : Wire.Coap;

    public int MostConnections => Model != ServerModel.Threads ? int.MaxValue : Service == "line" ? MostThreadsOfLine : MostThreadsOfCoap;

    /// <summary>The numbers as far as the model goes, with its limit in the place of what is beyond.</summary>
    public IEnumerable<int> Within(IEnumerable<int> connections) => connections.Select(count => Math.Min(count, MostConnections)).Distinct();

    public Task<ServerProcess> StartAsync() => ServerProcess.StartAsync(core: null, $"service={Service}", $"model={Model}");
}
