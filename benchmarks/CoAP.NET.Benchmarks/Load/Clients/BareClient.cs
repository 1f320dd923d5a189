using System.Buffers.Binary;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The smallest client: asks for a greeting over a socket with hand-written bytes and waits for the answer.</summary>
internal sealed class BareClient : IDisposable
{
    private const int DatagramTokenAt = 4;

    private readonly Socket _socket;
    private readonly RequestShape _shape;
    private readonly byte[] _answer = new byte[512];
    private ulong _count = (ulong)Environment.TickCount64;

    public BareClient(IPEndPoint server, bool isTcp)
    {
        _shape = new LoadSettings { Server = server, IsTcp = isTcp }.ToShape();
        _socket = new Socket(AddressFamily.InterNetwork, isTcp ? SocketType.Stream : SocketType.Dgram, isTcp ? ProtocolType.Tcp : ProtocolType.Udp);
        if (isTcp) { _socket.NoDelay = true; }
        _socket.Connect(server);
        if (!isTcp) { return; }
        _socket.Send(StreamFrame.Csm);
        var received = _answer.AsSpan(0, _socket.Receive(_answer));
        if (!StreamFrame.TryRead(received, out var csm) || !csm.IsSignal) { throw new InvalidOperationException("The server does not begin with its CSM."); }
    }

    public void Ask()
    {
        _socket.Send(Next());
        Check(_socket.Receive(_answer));
    }

    public async ValueTask AskAsync()
    {
        await _socket.SendAsync(Next());
        Check(await _socket.ReceiveAsync(_answer));
    }

    public void Dispose() => _socket.Dispose();

    private byte[] Next()
    {
        _shape.Number(_shape.Bytes, (ushort)++_count, _count);
        return _shape.Bytes;
    }

    private void Check(int received)
    {
        var bytes = _answer.AsSpan(0, received);
        var token = _shape.IsDatagram ? bytes.Slice(DatagramTokenAt, RequestShape.TokenLength) : StreamFrame.TryRead(bytes, out var frame) ? frame.Token : default;
        var isOurs = token.Length == RequestShape.TokenLength && BinaryPrimitives.ReadUInt64BigEndian(token) == _count;
        if (!isOurs) { throw new InvalidOperationException("The answer is that of another request."); }
    }
}
