namespace CoAP.Benchmarks.Load;

/// <summary>The server that is attacked: over every transport, with time limits that expire within a run.</summary>
internal static class SiegeService
{
    public static Task<IService> StartAsync(ServiceValues values)
    {
        var patience = TimeSpan.FromSeconds(values.Number("patience"));
        var settings = Limits.Server with
        {
            Mode = values.OneOf<ServerMode>("mode"),
            Tls = new TlsServerSettings { HandshakeTimeout = patience },
            Stream = new StreamSettings
            {
                CsmTimeout = patience,
                MessageTimeout = patience,
                IdleTimeout = 2 * patience,
                PingInterval = patience,
                PingTimeout = patience,
                ReleaseTimeout = patience,
            },
        };
        var counters = new LibraryCounters();
        return CoapService.StartAsync(settings, ["udp", "tcp", "tls", "unix", "ws"], Map, question => question == "counters" ? counters.Read() : "");
    }

    private static void Map(CoapServer server)
    {
        server.Resources.At("hello").Get(static (_, _) => new(Response.Content("Hello, CoAP!")));
        server.Resources.At("large").Get(static (_, _) => new(Response.Content(new byte[60_000], ContentFormats.OctetStream)));
    }
}
