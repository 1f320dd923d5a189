using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A NAT between one client and a server: it can give the client another port at any time, as routers do after a minute of silence.</summary>
internal sealed class UdpRelay : IDisposable
{
    private readonly Socket _front = Bind();
    private volatile IPEndPoint _server;
    private readonly List<Socket> _backs = [];
    private readonly Lock _gate = new();
    private volatile Socket _back;
    private volatile EndPoint? _client;

    public UdpRelay(IPEndPoint server)
    {
        _server = server;
        _back = Open();
        _ = PumpAsync(_front, toServer: true);
    }

    public int Port => ((IPEndPoint)_front.LocalEndPoint!).Port;

    /// <summary>Called with each datagram and its direction. If it returns <see langword="false"/>, the datagram is lost.</summary>
    public Func<byte[], bool, bool> Passes { get; set; } = static (_, _) => true;

    /// <summary>Gives the client another port. What arrives at the old one is lost.</summary>
    public void Move()
    {
        lock (_gate) { _back = Open(); }
    }

    /// <summary>Gives the client another port, and sends its datagrams to another server.</summary>
    public void MoveTo(IPEndPoint server)
    {
        lock (_gate) { (_server, _back) = (server, Open()); }
    }

    /// <summary>Sends the datagrams of the client to another server, from the same port.</summary>
    public void Redirect(IPEndPoint server) => _server = server;

    /// <summary>Sends a datagram of the client again, from its current port.</summary>
    public void Replay(byte[] datagram) => _back.SendTo(datagram, _server);

    /// <summary>Sends a datagram to the client from the address of the server.</summary>
    public void Inject(byte[] datagram)
    {
        if (_client is { } client) { _front.SendTo(datagram, client); }
    }

    public void Dispose()
    {
        _front.Dispose();
        foreach (var back in _backs) { back.Dispose(); }
    }

    private static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private Socket Open()
    {
        var back = Bind();
        _backs.Add(back);
        _ = PumpAsync(back, toServer: false);
        return back;
    }

    private async Task PumpAsync(Socket from, bool toServer)
    {
        var buffer = new byte[65_536];
        while (true)
        {
            try
            {
                var received = await from.ReceiveFromAsync(buffer, new IPEndPoint(IPAddress.Any, 0));
                if (!Passes(buffer[..received.ReceivedBytes], toServer)) { continue; }
                if (toServer)
                {
                    _client = received.RemoteEndPoint;
                    _back.SendTo(buffer.AsSpan(0, received.ReceivedBytes), _server);
                }
                else if (from == _back && _client is { } client) { _front.SendTo(buffer.AsSpan(0, received.ReceivedBytes), client); }
            }
            catch (ObjectDisposedException) { return; }
            catch (SocketException)
            {
                // An ICMP error about an earlier datagram; or the socket is closed, and the next call says so.
            }
        }
    }
}
