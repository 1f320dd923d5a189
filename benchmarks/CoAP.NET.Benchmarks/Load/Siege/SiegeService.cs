namespace CoAP.Load;

/// <summary>The server that is attacked: over every transport, with time limits that expire within a run.</summary>
internal static class SiegeService
{
    /// <summary>No time limit is longer than twice this.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    public static Task<IService> StartAsync(ServiceValues values)
    {
        var settings = Limits.Server with
        {
            Mode = values.OneOf<ServerMode>("mode"),
            Tls = new TlsServerSettings { HandshakeTimeout = Patience },
            Stream = new StreamSettings
            {
                CsmTimeout = Patience,
                MessageTimeout = Patience,
                IdleTimeout = 2 * Patience,
                PingInterval = Patience,
                PingTimeout = Patience,
                ReleaseTimeout = Patience,
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
