using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.Servers.Load;

/// <summary>One connection with at most one request in flight.</summary>
internal sealed class LoadConnection : IDisposable
{
    private readonly Socket _socket;
    private byte[] _rest = [];

    /// <param name="server">Where to connect to.</param>
    /// <param name="source">The address of the machine to come from: one address has too few ports for all connections.</param>
    public LoadConnection(IPEndPoint server, IPAddress source)
    {
        _socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, LingerState = new LingerOption(true, 0) };
        _socket.Bind(new IPEndPoint(source, 0));
        _socket.Connect(server);
        _socket.Blocking = false;
    }

    public SafeHandle Handle => _socket.SafeHandle;

    public Asker? Asker { get; set; }

    public long SentAt { get; set; }

    public bool IsWaiting { get; set; }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        var sent = _socket.Send(bytes, SocketFlags.None, out var error);
        if (sent != bytes.Length) { throw new SocketException((int)error); }
    }

    /// <summary>What has come, with what was left over; nothing where the server closed.</summary>
    public ReadOnlySpan<byte> Receive(byte[] buffer)
    {
        _rest.CopyTo(buffer, 0);
        var count = _socket.Receive(buffer.AsSpan(_rest.Length), SocketFlags.None, out var error);
        if (error is not (SocketError.Success or SocketError.WouldBlock)) { return []; }
        if (count == 0 && error is SocketError.Success) { return []; }
        return buffer.AsSpan(0, _rest.Length + count);
    }

    public void Keep(ReadOnlySpan<byte> rest)
    {
        if (rest.Length + _rest.Length > 0) { _rest = rest.ToArray(); }
    }

    public void Dispose() => _socket.Dispose();
}
