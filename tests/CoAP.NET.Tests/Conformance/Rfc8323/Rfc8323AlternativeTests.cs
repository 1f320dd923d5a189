using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP.Streams;
using CoAP.Tests.Streams;
using CoAP.Tests.Transports;
using CoAP.Tests.Transports.Tls;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Conformance;

/// <summary>What holds at an alternative address (RFC 8323, section 5.5): the options of section 8.6 and the protocol of section 8.2.</summary>
[Trait("Category", "Loopback")]
public sealed class Rfc8323AlternativeTests
{
    private static readonly IPAddress Elsewhere = IPAddress.Parse("127.0.0.2");

    // Client                     127.0.0.1:a          alternative:b
    //    | GET /hi                     |                   |
    //    +---------------------------->|                   |
    //    | 2.05, Release               |                   |
    //    |<----------------------------+                   |
    //    | GET /hi, Uri-Host 127.0.0.1, Uri-Port a         |  "If |port| does not equal the request's destination TCP port,
    //    +------------------------------------------------>|   include a Uri-Port Option"
    [Theory, Trait("RFC", "8323 8.6"), Trait("RFC", "7252 6.4")]
    [InlineData("127.0.0.1", false), InlineData("127.0.0.1", true)]
    [InlineData("127.0.0.2", false), InlineData("127.0.0.2", true)]
    public async Task The_request_says_which_host_and_port_its_uri_has(string alternative, bool isSync)
    {
        using var first = new TcpListener(IPAddress.Loopback, 0);
        using var second = new TcpListener(IPAddress.Parse(alternative), 0);
        first.Start();
        second.Start();
        var port = ((IPEndPoint)first.LocalEndpoint).Port;
        await using var client = new CoapClient(new CoapClientSettings { Reconnect = new() { AllowsOtherHosts = true } });
        var call = () => isSync ? Task.Run(() => client.Get($"coap+tcp://127.0.0.1:{port}/hi")) : client.GetAsync($"coap+tcp://127.0.0.1:{port}/hi").AsTask();

        var before = await ServeAsync(first, call, Release($"{second.LocalEndpoint}"));
        var after = await ServeAsync(second, call, Release("unused"));

        var uriHost = second.LocalEndpoint is IPEndPoint { Address: var address } && address.Equals(Elsewhere) ? "39" + Hex.Text("127.0.0.1"u8) : "";
        var uriPort = (uriHost.Length > 0 ? "42" : "72") + $"{port:x4}";
        before.Should().Be("b2" + "6869", "host and port are those of the connection");
        after.Should().Be(uriHost + uriPort + "42" + "6869");
    }

    // Client                          Server on a port that is not 5684
    //    | ClientHello, ALPN "coap"      |
    //    +------------------------------>|
    //    | ServerHello without ALPN      |  "the TLS client MUST close the connection"
    //    |<------------------------------+
    [Theory, Trait("RFC", "8323 8.2"), InlineData(false), InlineData(true)]
    public async Task The_port_of_the_alternative_decides_whether_the_protocol_may_be_omitted(bool isSync)
    {
        using var certificates = new TestCertificates();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var serving = ServeTlsAsync(listener, certificates.Issue("server.example"), protocol: null);
        var opener = OpenerTrusting(certificates);
        var target = StreamTarget.Of(CoapScheme.CoapsTcp, PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, 5684)), "server.example")
            .At(CoapUri.Parse($"coaps+tcp://localhost:{((IPEndPoint)listener.LocalEndpoint).Port}"));

        var open = () => isSync ? Task.Run(() => opener.OpenAsync(target, isSync, default)) : opener.OpenAsync(target, isSync, default);

        (await open.Should().ThrowAsync<TlsHandshakeException>()).WithMessage("*did not agree on the protocol 'coap'*");
        await serving.WaitAsync(RawPeer.Patience);
    }

    // The alternative inherits nothing of the first connection: it has to show the certificate of the host that was asked for.
    [Theory, Trait("RFC", "8323 10.1"), InlineData(false), InlineData(true)]
    public async Task The_alternative_needs_a_certificate_of_the_host_that_was_asked_for(bool isSync)
    {
        using var certificates = new TestCertificates();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var serving = ServeTlsAsync(listener, certificates.Issue("elsewhere.example"), protocol: "coap");
        var target = StreamTarget.Of(CoapScheme.CoapsTcp, PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, 5684)), "server.example")
            .At(CoapUri.Parse($"coaps+tcp://localhost:{((IPEndPoint)listener.LocalEndpoint).Port}"));
        var opener = OpenerTrusting(certificates);

        var open = () => isSync ? Task.Run(() => opener.OpenAsync(target, isSync, default)) : opener.OpenAsync(target, isSync, default);

        (await open.Should().ThrowAsync<TlsHandshakeException>()).Which.Failure.Should().Be(TlsFailure.Name);
        await Record.ExceptionAsync(() => serving.WaitAsync(RawPeer.Patience));
    }

    private static StreamOpener OpenerTrusting(TestCertificates certificates) => new(
        new CoapClientSettings { Tls = new() { TrustedRoots = certificates.Roots } }.ForConnections(),
        new WebSocketLimits(1152, TimeSpan.FromMinutes(1), TimeProvider.System, ServerLimits.LedgerOf(new CoapClientSettings())));

    /// <summary>Takes the connection of a request, exchanges CSMs, answers, releases, and returns the options of the request.</summary>
    private static async Task<string> ServeAsync(TcpListener listener, Func<Task<CoapResponse>> call, byte[] release)
    {
        var pending = call();
        using var accepted = await listener.AcceptTcpClientAsync().WaitAsync(RawPeer.Patience);
        var stream = accepted.GetStream();
        await ReadMessageAsync(stream);
        await stream.WriteAsync(new byte[] { 0x00, 0xE1 });
        var request = await ReadMessageAsync(stream);
        await stream.WriteAsync((byte[])[0x08, 0x45, .. request[..8]]);
        (await pending.WaitAsync(RawPeer.Patience)).Code.Should().Be(ResponseCode.Content);
        await stream.WriteAsync(release);
        while (await stream.ReadAsync(new byte[100]) > 0) { }
        return Hex.Text(request.AsSpan(8));
    }

    /// <summary>All behind the code of a message of less than 269 bytes (RFC 8323, section 3.2).</summary>
    private static async Task<byte[]> ReadMessageAsync(NetworkStream stream)
    {
        var first = await ReadAsync(stream, 1);
        var length = first[0] >> 4 == 13 ? 13 + (await ReadAsync(stream, 1))[0] : first[0] >> 4;
        await ReadAsync(stream, 1);
        return await ReadAsync(stream, (first[0] & 15) + length);
    }

    private static async Task<byte[]> ReadAsync(NetworkStream stream, int count)
    {
        var bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes).AsTask().WaitAsync(RawPeer.Patience);
        return bytes;
    }

    /// <summary>7.04 with an Alternative-Address, number 2, of less or more than 13 bytes.</summary>
    private static byte[] Release(string authority)
    {
        var text = Encoding.ASCII.GetBytes(authority);
        byte[] option = text.Length < 13 ? [(byte)(0x20 | text.Length), .. text] : [0x2D, (byte)(text.Length - 13), .. text];
        return option.Length < 13 ? [(byte)(option.Length << 4), 0xE4, .. option] : [0xD0, (byte)(option.Length - 13), 0xE4, .. option];
    }

    private static async Task ServeTlsAsync(TcpListener listener, X509Certificate2 certificate, string? protocol)
    {
        using var accepted = await listener.AcceptTcpClientAsync();
        await using var stream = new SslStream(accepted.GetStream());
        await stream.AuthenticateAsServerAsync(new SslServerAuthenticationOptions
        {
            ServerCertificate = certificate,
            ApplicationProtocols = protocol is null ? null : [new SslApplicationProtocol(protocol)],
        });
    }
}
