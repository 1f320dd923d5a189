using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Siege.Attacks;

/// <summary>Connections that are opened and dropped, one after another.</summary>
internal sealed class Floods(string name, string what, Flood flood) : Attack(name, what)
{
    // How many wait to be closed in an orderly way, so that nobody waits for the server's last word.
    private const int Lingering = 256;

    private readonly Queue<Socket> _lingering = [];

    public override int Run(TimeSpan time)
    {
        var isHandshake = flood is Flood.Tls or Flood.WebSocket;
        var count = AtRate(isHandshake ? Target.HandshakeRate : Target.FloodRate, time, Drop);
        while (_lingering.TryDequeue(out var socket)) { Drain(socket); }
        return count;
    }

    private void Drop(int number)
    {
        switch (flood)
        {
            case Flood.Reset:
                Reset(Connect(Target.PortOf("tcp"), number));
                break;
            case Flood.Fin:
                DropOrderly(number);
                break;
            case Flood.Csm:
                DropAfterCsm(number);
                break;
            case Flood.Unix:
                DropUnix();
                break;
            case Flood.Tls:
                DropHandshake(number);
                break;
            default:
                DropUpgrade(number);
                break;
        }
    }

    private void DropOrderly(int number)
    {
        var socket = Connect(Target.PortOf("tcp"), number);
        socket.Shutdown(SocketShutdown.Send);
        _lingering.Enqueue(socket);
        if (_lingering.Count > Lingering) { Drain(_lingering.Dequeue()); }
    }

    private void DropAfterCsm(int number)
    {
        var socket = Connect(Target.PortOf("tcp"), number);
        TrySend(socket, [.. HandWrittenRequest.Csm, .. HandWrittenRequest.Frame(HandWrittenRequest.Get, "hello").Bytes.Span]);
        Reset(socket);
    }

    private void DropUnix()
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(Target.Addresses["unix"]));
        TrySend(socket, HandWrittenRequest.Csm);
    }

    /// <summary>A client that dislikes the certificate, one that speaks no TLS, one that leaves in the middle, and one that says nothing.</summary>
    private void DropHandshake(int number)
    {
        var socket = Connect(Target.PortOf("tls"), number);
        if (number % 4 == 0) { Reject(socket); }
        else if (number % 4 == 1) { TrySend(socket, "GET / HTTP/1.1\r\n\r\n"u8); }
        else if (number % 4 == 2) { TrySend(socket, [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]); }
        Reset(socket);
    }

    private static void Reject(Socket socket)
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
        catch (Exception exception) when (exception is AuthenticationException or IOException)
        {
            // That is what was wanted.
        }
    }

    /// <summary>An upgrade that is dropped before its answer, after it, and one for another subprotocol.</summary>
    private void DropUpgrade(int number)
    {
        var socket = Connect(Target.PortOf("ws"), number);
        var request = $"GET /.well-known/coap HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + $"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {(number % 3 == 2 ? "chat" : "coap")}\r\n\r\n";
        TrySend(socket, Encoding.ASCII.GetBytes(request));
        if (number % 3 > 0) { socket.Receive(new byte[1024], SocketFlags.None, out _); }
        Reset(socket);
    }

    private static void Drain(Socket socket)
    {
        using (socket) { ReadToEnd(socket, TimeSpan.FromSeconds(2)); }
    }
}

/// <summary>How a connection is dropped.</summary>
internal enum Flood { Reset, Fin, Csm, Unix, Tls, WebSocket }
