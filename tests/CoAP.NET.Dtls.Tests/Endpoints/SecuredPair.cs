using System.Net;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A server with DTLS and a client, over UDP on loopback or an in-memory network.</summary>
internal sealed class SecuredPair : IAsyncDisposable
{
    private readonly InMemoryNetwork? _network;

    public SecuredPair(
        DtlsServerSettings server, DtlsClientSettings client, bool isInMemory, Func<CoapServerSettings, CoapServerSettings>? adapt = null,
        TransmissionParameters? transmission = null)
    {
        _network = isInMemory ? new InMemoryNetwork() : null;
        var settings = new CoapServerSettings
        {
            Endpoints = [isInMemory ? ServerEndpoint.InMemory("server") : ServerEndpoint.Dtls(new IPEndPoint(IPAddress.Loopback, 0))],
            Dtls = server,
            Network = _network,
        };
        Server = new CoapServer(adapt?.Invoke(settings) ?? settings);
        Server.Resources.At("who").Get((request, _) => new(Response.Content(request.Credentials?.PreSharedKeyIdentity ?? request.Credentials?.Certificate?.Subject ?? request.Credentials?.RawPublicKey?.Identifier ?? "nobody")));
        Server.Resources.At("echo").Post((request, _) => new(Response.Content(request.Payload, 42)));
        Server.Start();
        Client = new CoapClient(new CoapClientSettings { Dtls = client, Network = _network, Transmission = transmission ?? TransmissionParameters.Default });
        Origin = isInMemory ? "coaps://server" : $"coaps://127.0.0.1:{Server.Endpoints[0].Address.Port}";
    }

    public CoapServer Server { get; }

    public CoapClient Client { get; }

    public string Origin { get; }

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Server.DisposeAsync();
    }
}
