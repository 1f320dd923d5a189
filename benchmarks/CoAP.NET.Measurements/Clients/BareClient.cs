using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Clients;

/// <summary>The least that asks for a greeting and waits for the answer: a socket and bytes written by hand.</summary>
internal sealed class BareClient : IDisposable
{
    private const int FrameTokenAt = 3;

    private readonly Socket _socket;
    private readonly HandWrittenRequest _request;
    private readonly byte[] _answer = new byte[512];
    private readonly bool _isStream;
    private uint _count = (uint)Environment.TickCount;

    public BareClient(int port, bool isStream)
    {
        _isStream = isStream;
        _socket = new Socket(AddressFamily.InterNetwork, isStream ? SocketType.Stream : SocketType.Dgram, isStream ? ProtocolType.Tcp : ProtocolType.Udp);
        if (isStream) { _socket.NoDelay = true; }
        _socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        _request = isStream ? HandWrittenRequest.Frame(HandWrittenRequest.Get, "hello") : HandWrittenRequest.Datagram(HandWrittenRequest.Get, "hello");
        if (isStream) { Greet(); }
    }

    public void Ask()
    {
        _socket.Send(Next().Span);
        Check(_socket.Receive(_answer));
    }

    public async ValueTask AskAsync()
    {
        await _socket.SendAsync(Next());
        Check(await _socket.ReceiveAsync(_answer));
    }

    public void Dispose() => _socket.Dispose();

    // Our CSM, and the peer's: a byte of lengths, then its code.
    private void Greet()
    {
        _socket.Send(HandWrittenRequest.Csm);
        var received = _socket.Receive(_answer);
        if (received < 2 || _answer[1] != HandWrittenRequest.Csm[1]) { throw new InvalidOperationException("The server does not begin with its CSM."); }
    }

    private ReadOnlyMemory<byte> Next()
    {
        _count++;
        _request.Number((ushort)_count, _count);
        return _request.Bytes;
    }

    private void Check(int received)
    {
        var token = _answer.AsSpan(_isStream ? FrameTokenAt : HandWrittenRequest.DatagramTokenAt, HandWrittenRequest.TokenLength);
        if (received < 8 || BinaryPrimitives.ReadUInt32BigEndian(token) != _count) { throw new InvalidOperationException("The answer is that of another request."); }
    }
}
