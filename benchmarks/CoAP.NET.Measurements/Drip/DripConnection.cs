using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Measurements.Drip;

/// <summary>One message on its way, a byte at each call.</summary>
internal sealed class DripConnection : IDisposable
{
    // An empty CSM: length 0, no token, code 7.01 (RFC 8323, sections 3.2 and 5.3).
    private static readonly byte[] Csm = [0x00, 0xe1];

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _message;
    private int _sent;

    public DripConnection(int port, int number, int payload)
    {
        (Payload, Token) = (payload, DripMessage.TokenOf(number));
        _message = DripMessage.Make(Token, payload);
        _socket.Connect(IPAddress.Loopback, port);
        _socket.Send(Csm);
        _socket.Receive(new byte[256]);
    }

    public int Payload { get; }

    public Token Token { get; }

    public int Length => _message.Length;

    public bool IsSent => _sent == _message.Length;

    public long FirstByteAt { get; private set; }

    public long LastByteAt { get; private set; }

    public void SendByte()
    {
        if (IsSent) { return; }
        LastByteAt = Stopwatch.GetTimestamp();
        if (_sent == 0) { FirstByteAt = LastByteAt; }
        _socket.Send(_message.AsSpan(_sent++, 1));
    }

    public void Dispose() => _socket.Dispose();
}
