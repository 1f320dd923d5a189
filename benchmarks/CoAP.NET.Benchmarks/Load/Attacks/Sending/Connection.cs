namespace CoAP.Benchmarks.Load;

/// <summary>A connection of the attacker's one address. It sends bytes as fast as the server takes them, or a few at a time, and reads what it gets.</summary>
internal sealed class Connection : IDisposable
{
    private const int Address = 0;

    private static readonly byte[] Unread = new byte[64 << 10];

    private readonly Socket _socket;
    private readonly byte[] _bytes;
    private int _sent;

    public Connection(int port, byte[] bytes)
    {
        _bytes = bytes;
        _socket = Attack.Connect(port, Address);
        _socket.Blocking = false;
    }

    /// <summary>Sends and reads what is possible at once, and returns the number of bytes sent.</summary>
    /// <param name="repeats">Whether it begins again with the first byte after the last one.</param>
    /// <param name="most">The most bytes that it sends.</param>
    public int Turn(bool repeats, int most = int.MaxValue)
    {
        _socket.Receive(Unread, SocketFlags.None, out _);
        if (_sent == _bytes.Length && repeats) { _sent = 0; }
        var sent = _sent < _bytes.Length ? _socket.Send(_bytes.AsSpan(_sent, Math.Min(most, _bytes.Length - _sent)), SocketFlags.None, out _) : 0;
        _sent += sent;
        return sent;
    }

    public void Dispose() => Attack.Reset(_socket);
}
