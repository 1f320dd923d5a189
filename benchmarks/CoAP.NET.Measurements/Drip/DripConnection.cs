using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Drip;

/// <summary>One message on its way, a byte at each call.</summary>
internal sealed class DripConnection : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _message;
    private int _sent;

    public DripConnection(int port, int number, int payload)
    {
        (Payload, Token) = (payload, DripMessage.TokenOf(number));
        _message = DripMessage.Make(Token, payload);
        _socket.Connect(IPAddress.Loopback, port);
        _socket.Send(HandWrittenRequest.Csm);
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
