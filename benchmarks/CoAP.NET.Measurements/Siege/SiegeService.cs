using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Siege;

/// <summary>The server that is attacked: over every transport, with time limits so short that a run sees them pass.</summary>
internal sealed class SiegeService(EveryTransport server) : IService
{
    /// <summary>No limit of time is longer than twice this.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly Counters _counters = new();

    public IEnumerable<string> Addresses => server.Addresses;

    public static async Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var stream = new StreamSettings
        {
            CsmTimeout = Patience,
            MessageTimeout = Patience,
            IdleTimeout = 2 * Patience,
            PingInterval = Patience,
            PingTimeout = Patience,
            ReleaseTimeout = Patience,
        };
        return new SiegeService(await EveryTransport.StartAsync(values, new TlsServerSettings { HandshakeTimeout = Patience }, stream, Map));
    }

    public string Answer(string question) => question switch
    {
        "counters" => _counters.Read(),
        _ => "",
    };

    public async ValueTask DisposeAsync()
    {
        await server.DisposeAsync();
        _counters.Dispose();
    }

    private static void Map(ResourceMap resources)
    {
        resources.At("hello").Get(static (_, _) => new(Response.Content("Hello, CoAP!")));
        resources.At("large").Get(static (_, _) => new(Response.Content(new byte[60_000], ContentFormats.OctetStream)));
        resources.At("echo").Post(static (request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
    }
}
