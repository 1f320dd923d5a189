using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using CoAP.Transports;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Transports.Tls;

/// <summary>A TLS connection whose calls never wait fulfills the contract of all connections.</summary>
[Trait("Category", "Loopback")]
public sealed class TlsConnectionTests : StreamContract
{
    private protected override (IStreamConnection Client, IStreamConnection Server) Connect()
    {
        var (client, server) = TlsPair.Open(Own(new TestCertificates()));
        return (TlsConnection.Over(client.Stream, client.Socket, null), TlsConnection.Over(server.Stream, server.Socket, null));
    }
}

/// <summary>So does a TLS connection whose calls wait.</summary>
[Trait("Category", "Loopback")]
public sealed class TlsBlockingConnectionTests : StreamContract
{
    private protected override (IStreamConnection Client, IStreamConnection Server) Connect()
    {
        var settings = new TcpSettings();
        var (client, server) = TlsPair.Open(Own(new TestCertificates()));
        return (new TcpBlockingConnection(client.Socket, settings, null, client.Stream), new TcpBlockingConnection(server.Socket, settings, null, server.Stream));
    }
}

/// <summary>Two ends of a connection after their handshake.</summary>
internal static class TlsPair
{
    public static ((Socket Socket, SslStream Stream) Client, (Socket Socket, SslStream Stream) Server) Open(TestCertificates certificates)
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(listener.LocalEndPoint!);
        var server = listener.Accept();
        SslStream? secured = null;
        var settings = new TlsServerSettings { Certificate = TlsCertificateSource.From(certificates.Issue("127.0.0.1")) };
        var accepting = new Thread(() => secured = new TlsServerHandshake(settings, ServerLimits.Default, NullLogger.Instance)
            .RunAsync(new NetworkStream(server, ownsSocket: true), PeerIdentity.From("client"), isBlocking: true).GetAwaiter().GetResult());
        accepting.Start();
        var opened = new TlsClientHandshake(new() { TrustedRoots = certificates.Roots }, "127.0.0.1", 1)
            .RunAsync(new NetworkStream(client, ownsSocket: true), isBlocking: true, default).GetAwaiter().GetResult();
        accepting.Join();
        return ((client, opened), (server, secured!));
    }
}
