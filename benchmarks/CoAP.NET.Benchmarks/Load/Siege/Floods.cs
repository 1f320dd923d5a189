using System.Net.Security;
using System.Security.Authentication;
using System.Text;

namespace CoAP.Benchmarks.Load;

/// <summary>Connections that are opened and dropped, one after another.</summary>
internal static class Floods
{
    // The sockets that wait for the server to close before they close.
    private const int Lingering = 256;

    private static readonly byte[] Hello = Attack.FrameOf("hello");

    public static int Reset(Target target, TimeSpan time) =>
        Attack.AtRate(target.FloodRate, time, number => Attack.Reset(Attack.Connect(target.PortOf("tcp"), number)));

    public static int Close(Target target, TimeSpan time)
    {
        var lingering = new Queue<Socket>();
        var count = Attack.AtRate(target.FloodRate, time, number =>
        {
            var socket = Attack.Connect(target.PortOf("tcp"), number);
            socket.Shutdown(SocketShutdown.Send);
            lingering.Enqueue(socket);
            if (lingering.Count > Lingering) { Drain(lingering.Dequeue()); }
        });
        foreach (var socket in lingering) { Drain(socket); }
        return count;
    }

    public static int ResetAfterCsm(Target target, TimeSpan time) => Attack.AtRate(target.FloodRate, time, number =>
    {
        var socket = Attack.Connect(target.PortOf("tcp"), number);
        Attack.Send(socket, [.. StreamFrame.Csm, .. Hello]);
        Attack.Reset(socket);
    });

    public static int CloseUnix(Target target, TimeSpan time) => Attack.AtRate(target.FloodRate, time, _ =>
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(target.Addresses["unix"]));
        Attack.Send(socket, StreamFrame.Csm);
    });

    /// <summary>A client that rejects the certificate, one that speaks no TLS, one that leaves in the middle, and one that says nothing.</summary>
    public static int BreakHandshake(Target target, TimeSpan time) => Attack.AtRate(target.HandshakeRate, time, number =>
    {
        var socket = Attack.Connect(target.PortOf("tls"), number);
        if (number % 4 == 0) { RejectCertificate(socket); }
        else if (number % 4 == 1) { Attack.Send(socket, "GET / HTTP/1.1\r\n\r\n"u8); }
        else if (number % 4 == 2) { Attack.Send(socket, [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]); }
        Attack.Reset(socket);
    });

    /// <summary>An upgrade that is dropped before its answer, one after it, and one for another subprotocol.</summary>
    public static int BreakUpgrade(Target target, TimeSpan time) => Attack.AtRate(target.HandshakeRate, time, number =>
    {
        var socket = Attack.Connect(target.PortOf("ws"), number);
        var request = "GET /.well-known/coap HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + $"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {(number % 3 == 2 ? "chat" : "coap")}\r\n\r\n";
        Attack.Send(socket, Encoding.ASCII.GetBytes(request));
        if (number % 3 > 0) { socket.Receive(new byte[1024], SocketFlags.None, out _); }
        Attack.Reset(socket);
    });

    private static void RejectCertificate(Socket socket)
    {
        using var secured = new SslStream(new NetworkStream(socket, ownsSocket: false));
        try
        {
            secured.AuthenticateAsClient(new SslClientAuthenticationOptions
            {
                TargetHost = "127.0.0.1",
                ApplicationProtocols = [new SslApplicationProtocol("coap")],
                RemoteCertificateValidationCallback = static (_, _, _, _) => false,
            });
        }
        catch (Exception expected) when (expected is AuthenticationException or IOException)
        {
            // The certificate was rejected.
        }
    }

    private static void Drain(Socket socket)
    {
        using (socket) { Attack.ReadToEnd(socket, TimeSpan.FromSeconds(2)); }
    }
}
