namespace CoAP.Tests.Streams;

/// <summary>A server on an in-memory network, and what the tests ask of it.</summary>
internal sealed class StreamHost : IAsyncDisposable
{
    public const string Name = "server";

    private readonly Dictionary<string, TaskCompletionSource> _gates = [];

    public StreamHost(Func<CoapServerSettings, CoapServerSettings>? change = null, params Func<RequestDelegate, RequestDelegate>[] steps)
    {
        var settings = new CoapServerSettings { Network = Network, Endpoints = [ServerEndpoint.InMemory(Name)] };
        Server = new CoapServer(change?.Invoke(settings) ?? settings);
        foreach (var step in steps) { Server.Use(step); }
        Server.Resources.At("hi").Get((_, _) => new(Response.Content("hi")));
        Server.Resources.At("size").Put((request, _) => new(Response.Content($"{request.Payload.Length}")));
        Server.Resources.At("large").Get((request, _) => new(new CoapResponse(ResponseCode.Content) { Payload = new byte[int.Parse(request.Query("n")!)] }));
        Server.Resources.At("wait/{gate}").Get(async (request, _) =>
        {
            await Gate(request["gate"]).Task;
            return Response.Content(request["gate"]);
        });
        Server.Start();
    }

    public InMemoryNetwork Network { get; } = new();

    public CoapServer Server { get; }

    /// <summary>What the handler of "wait/name" waits for.</summary>
    public TaskCompletionSource Gate(string name)
    {
        lock (_gates)
        {
            if (!_gates.TryGetValue(name, out var gate)) { _gates[name] = gate = new(TaskCreationOptions.RunContinuationsAsynchronously); }
            return gate;
        }
    }

    public Task<RawPeer> OpenAsync() => RawPeer.OpenAsync(Network, Name);

    public CoapClient Client(CoapClientSettings? settings = null) => new((settings ?? new CoapClientSettings()) with { Network = Network });

    public async ValueTask DisposeAsync()
    {
        foreach (var gate in _gates.Values) { gate.TrySetResult(); }
        await Server.DisposeAsync();
    }
}
