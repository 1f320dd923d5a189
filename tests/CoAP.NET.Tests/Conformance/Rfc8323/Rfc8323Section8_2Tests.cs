using System.IO.Pipelines;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tests.Streams;
using CoAP.Tests.Transports;
using CoAP.Tests.Transports.Tls;
using CoAP.Transports;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Conformance;

/// <summary>Which protocol goes over TLS, and what follows where the two sides do not agree (RFC 8323, section 8.2). Neither side has a socket.</summary>
public sealed class Rfc8323Section8_2Tests : IDisposable
{
    private const int TheirOwnPort = 5684;
    private const int AnotherPort = 5685;

    private readonly TestCertificates _certificates = new();
    private readonly Stream _clientEnd;
    private readonly Stream _serverEnd;

    public Rfc8323Section8_2Tests()
    {
        Pipe toServer = new(), toClient = new();
        _clientEnd = new DuplexStream(toClient.Reader.AsStream(), toServer.Writer.AsStream());
        _serverEnd = new DuplexStream(toServer.Reader.AsStream(), toClient.Writer.AsStream());
    }

    public static TheoryData<int, string?, bool, bool> Clients() => new()
    {
        { TheirOwnPort, null, false, true }, { TheirOwnPort, null, true, true },
        { TheirOwnPort, "coap", false, true }, { TheirOwnPort, "coap", true, true },
        { TheirOwnPort, "h2", false, false }, { TheirOwnPort, "h2", true, false },
        { AnotherPort, null, false, false }, { AnotherPort, null, true, false },
        { AnotherPort, "coap", false, true }, { AnotherPort, "coap", true, true },
        { AnotherPort, "h2", false, false }, { AnotherPort, "h2", true, false },
    };

    public void Dispose()
    {
        _clientEnd.Dispose();
        _serverEnd.Dispose();
        _certificates.Dispose();
    }

    // Our client                      Server
    //    | ClientHello, ALPN "coap"      |
    //    +------------------------------>|
    //    | ServerHello without ALPN      |  on port 5684: "coaps+tcp is implicitly selected"
    //    |<------------------------------+  on another one: "the TLS client MUST close the connection"
    //    |
    //    | alert no_application_protocol |
    //    |<------------------------------+  on any port: "the TLS client MUST close the connection"
    [Theory, MemberData(nameof(Clients)), Trait("RFC", "8323 8.2")]
    public async Task A_client_continues_if_coap_was_negotiated_or_omitted_on_its_default_port(int port, string? theirs, bool isSync, bool goesOn)
    {
        await using var server = new SslStream(_serverEnd);
        var serving = ServeAsync(server, theirs, untilEnd: !goesOn);
        var cut = new TlsClientHandshake(new() { TrustedRoots = _certificates.Roots }, "server.example", port);

        var open = () => (isSync ? Task.Run(() => cut.RunAsync(_clientEnd, isSync, default)) : cut.RunAsync(_clientEnd, isSync, default)).WaitAsync(RawPeer.Patience);

        if (goesOn) { (await open()).IsAuthenticated.Should().BeTrue(); }
        else { (await open.Should().ThrowAsync<TlsHandshakeException>()).Which.Failure.Should().Be(TlsFailure.Protocol); }
        await serving.WaitAsync(RawPeer.Patience);
    }

    // Client                         Our server
    //    | ClientHello, ALPN "h2"        |
    //    +------------------------------>|
    //    | alert no_application_protocol |  RFC 7301, section 3.2
    //    |<------------------------------+
    [Theory, Trait("RFC", "8323 8.2")]
    [InlineData("coap", false, true), InlineData("coap", true, true), InlineData("h2", false, false), InlineData("h2", true, false)]
    [InlineData(null, false, true), InlineData(null, true, true)]
    public async Task A_server_accepts_clients_that_offer_coap_or_no_protocol(string? theirs, bool isSync, bool goesOn)
    {
        var settings = new TlsServerSettings { Certificate = TlsCertificateSource.From(_certificates.Issue("server.example")) };
        var cut = new TlsServerHandshake(settings, ServerLimits.Default, NullLogger.Instance);
        var peer = PeerIdentity.From("client");
        await using var client = new SslStream(_clientEnd);

        var connecting = client.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "server.example",
            ApplicationProtocols = Protocols(theirs),
            CertificateChainPolicy = TlsProtocols.Trusting(_certificates.Roots, X509RevocationMode.NoCheck),
        });
        var serve = () => (isSync ? Task.Run(() => cut.RunAsync(_serverEnd, peer, isSync)) : cut.RunAsync(_serverEnd, peer, isSync)).WaitAsync(RawPeer.Patience);

        if (goesOn) { (await serve()).NegotiatedApplicationProtocol.ToString().Should().Be(theirs ?? ""); }
        else { await serve.Should().ThrowAsync<TlsHandshakeException>(); }
        var connect = () => connecting.WaitAsync(RawPeer.Patience);
        if (goesOn) { await connect.Should().NotThrowAsync(); }
        else { await connect.Should().ThrowAsync<Exception>(); }
    }

    private static List<SslApplicationProtocol>? Protocols(string? name) => name is null ? null : [new SslApplicationProtocol(name)];

    /// <summary>Completes after the handshake, or only when the client has closed.</summary>
    private async Task ServeAsync(SslStream server, string? protocol, bool untilEnd)
    {
        try
        {
            await server.AuthenticateAsServerAsync(new SslServerAuthenticationOptions
            {
                ServerCertificate = _certificates.Issue("server.example"),
                ApplicationProtocols = Protocols(protocol),
            });
        }
        catch (AuthenticationException)
        {
            // Ours was the alert.
        }
        var buffer = new byte[1024];
        while (untilEnd && await _serverEnd.ReadAsync(buffer) > 0) { }
    }
}
