using System.Security.Cryptography;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>The handshakes of a client and a server whose messages the test passes on, and may change. There are no records and no time.</summary>
internal sealed class MessagePair : IDisposable
{
    private readonly Begin _serve;
    private OpenSslHandshake? _server;

    /// <param name="client">The client, which has begun. The pair disposes of it.</param>
    /// <param name="serve">Begins the handshake of the server with a hello.</param>
    public MessagePair(OpenSslHandshake client, Begin serve)
    {
        (Client, _serve) = (client, serve);
        FirstHello = HelloParts.Read(Client.TakeOutput()[0].Content);
    }

    /// <summary>Begins the handshake of a server. The handshake is there even if that fails.</summary>
    public delegate void Begin(byte[] hello, out OpenSslHandshake side);

    /// <summary>A pair with the same pre-shared key.</summary>
    public static MessagePair WithKeys(
        SslContext? server = null, ReadOnlyMemory<byte>? idOfClient = null, Action<OpenSslHandshake>? prepare = null,
        string ciphers = "PSK-AES128-CCM8")
    {
        var ofClient = SslContext.ForPreSharedKeys(isServer: false, ciphers);
        var client = new OpenSslHandshake(ofClient, idOfClient) { PskIdentity = [65], PskKey = [1, 2, 3] };
        prepare?.Invoke(client);
        client.Begin();
        var context = server ?? SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8");
        return new(client, (byte[] hello, out OpenSslHandshake side) =>
        {
            side = new OpenSslHandshake(context, new byte[8]) { PskIdentity = [65], PskKey = [1, 2, 3] };
            side.Begin(hello);
        });
    }

    /// <summary>A pair with the settings of endpoints.</summary>
    public static MessagePair WithSettings(ServerHandshakes server, ClientHandshakes client, string host = "server.example")
    {
        client.Begin(out var side, new HandshakeStart(null, null, PeerNames.OfServer(PeerIdentity.FromIPv4(0x0A000001, 5684), host)));
        return new(side, (byte[] hello, out OpenSslHandshake created) => server.Begin(out created, new HandshakeStart(null, hello, default)));
    }

    /// <summary>A pair of a client with the settings of endpoints and a server with certificates.</summary>
    public static MessagePair WithCertificates(SslContext server, CertificateCheck ofClient, ClientHandshakes client, string host =
        "server.example")
    {
        client.Begin(out var side, new HandshakeStart(null, null, PeerNames.OfServer(PeerIdentity.FromIPv4(0x0A000001, 5684), host)));
        return new(side, (byte[] hello, out OpenSslHandshake created) =>
        {
            created = new OpenSslHandshake(server, null) { Peer = new() { Certificates = ofClient } };
            created.Begin(hello);
        });
    }

    public OpenSslHandshake Client { get; }

    public OpenSslHandshake Server => _server!;

    /// <summary>The hello without a cookie.</summary>
    public HelloParts FirstHello { get; }

    /// <summary>The hello with the cookie, once the server has asked for it.</summary>
    public HelloParts SecondHello { get; private set; } = null!;

    /// <summary>Exchanges the cookie, and returns what the server answers to the second hello.</summary>
    /// <param name="change">Changes the second hello on the way.</param>
    public IReadOnlyList<HandshakeOutput> Answer(Func<HelloParts, HelloParts>? change = null)
    {
        Ask();
        _serve((change ?? (static hello => hello))(SecondHello).ToBytes(), out _server);
        return _server.TakeOutput();
    }

    /// <summary>Exchanges the cookie, and returns the fatal alert with which the server answers a second hello that is changed in this way.</summary>
    public AlertDescription AlertOfAnswer(Func<HelloParts, byte[]> change)
    {
        Ask();
        FluentActions.Invoking(() => _serve(change(SecondHello), out _server)).Should().Throw<CryptographicException>();
        return AlertIn(Server.TakeOutput());
    }

    /// <summary>Passes messages on.</summary>
    public static void Pass(IEnumerable<HandshakeOutput> messages, OpenSslHandshake to)
    {
        foreach (var message in messages.Where(static one => one.Type == ContentType.Handshake)) { to.Feed(message.Content); }
    }

    /// <summary>Returns the fatal alert with which a side answers a message that ends the handshake.</summary>
    public static AlertDescription AlertOf(OpenSslHandshake side, byte[] message)
    {
        FluentActions.Invoking(() => side.Feed(message)).Should().Throw<CryptographicException>();
        return AlertIn(side.TakeOutput());
    }

    public void Dispose()
    {
        Client.Dispose();
        _server?.Dispose();
    }

    private static AlertDescription AlertIn(IReadOnlyList<HandshakeOutput> output)
    {
        var content = output.Should().ContainSingle(static one => one.Type == ContentType.Alert).Subject.Content;
        Alert.TryRead(content, out var alert).Should().BeTrue();
        alert.IsFatal.Should().BeTrue();
        return alert.Description;
    }

    private void Ask()
    {
        _serve(FirstHello.ToBytes(), out var asking);
        using (asking) { Client.Feed(asking.TakeOutput()[0].Content); }
        SecondHello = HelloParts.Read(Client.TakeOutput()[0].Content);
    }
}
