using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Measurements.Clients;

/// <summary>The least that asks for a greeting and waits for the answer: a socket and bytes written by hand.</summary>
internal sealed class BareClient : IDisposable
{
    private const int MessageIdAt = 2;
    private const int TokenAt = 4;
    private const byte Csm = 0xE1;

    private readonly Socket _socket;
    private readonly byte[] _request;
    private readonly byte[] _answer = new byte[512];
    private readonly bool _isStream;
    private uint _count = (uint)Environment.TickCount;

    public BareClient(int port, bool isStream)
    {
        _isStream = isStream;
        _socket = new Socket(AddressFamily.InterNetwork, isStream ? SocketType.Stream : SocketType.Dgram, isStream ? ProtocolType.Tcp : ProtocolType.Udp);
        if (isStream) { _socket.NoDelay = true; }
        _socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        _request = isStream
            ? [0x64, 0x01, 0, 0, 0, 0, 0xB5, .. "hello"u8]
            : [0x44, 0x01, 0, 0, 0, 0, 0, 0, 0xB5, .. "hello"u8];
        if (isStream) { Greet(); }
    }

    public void Ask()
    {
        Number();
        _socket.Send(_request);
        Check(_socket.Receive(_answer));
    }

    public async ValueTask AskAsync()
    {
        Number();
        await _socket.SendAsync(_request);
        Check(await _socket.ReceiveAsync(_answer));
    }

    public void Dispose() => _socket.Dispose();

    // Our CSM, and the peer's: a byte of lengths, then as many bytes as the length says after the code.
    private void Greet()
    {
        _socket.Send(new byte[] { 0x00, Csm });
        var received = _socket.Receive(_answer);
        if (received < 2 || _answer[1] != Csm) { throw new InvalidOperationException("The server does not begin with its CSM."); }
    }

    private void Number()
    {
        _count++;
        if (!_isStream) { BinaryPrimitives.WriteUInt16BigEndian(_request.AsSpan(MessageIdAt), (ushort)_count); }
        BinaryPrimitives.WriteUInt32BigEndian(_request.AsSpan(_isStream ? 2 : TokenAt), _count);
    }

    private void Check(int received)
    {
        var token = _answer.AsSpan(_isStream ? 3 : TokenAt, 4);
        if (received < 8 || BinaryPrimitives.ReadUInt32BigEndian(token) != _count) { throw new InvalidOperationException("The answer is that of another request."); }
    }
}
