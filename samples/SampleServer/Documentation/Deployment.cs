using CoAP;

namespace SampleServer;

/// <summary>Settings of servers on the Internet, as the page "Deployment" shows them.</summary>
internal static class Deployment
{
    public static CoapServerSettings OnAllAddresses(TlsServerSettings tls, DtlsServerSettings dtls) => new()
    {
        Endpoints = ServerEndpoint.ParseAll("coaps://*:5684; coaps+tcp://*:5684"),
        Tls = tls,
        Dtls = dtls,
    };

    public static DtlsServerSettings BehindBalancer(byte node, IPskStore keys, byte[] secret) => new()
    {
        PreSharedKeys = keys,
        ConnectionIdPrefix = new byte[] { node },
        TicketSecret = secret,
    };

    public static CoapServerSettings BehindProxy() => new()
    {
        Endpoints = [],
        Stream = new StreamSettings { PingInterval = TimeSpan.FromSeconds(30) },
    };
}
