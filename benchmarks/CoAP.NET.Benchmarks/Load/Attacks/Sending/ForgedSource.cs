using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Sends requests from addresses that are not its own. What the server sends to them arrives here, and no attack acts on it.</summary>
internal sealed class ForgedSource : IDisposable
{
    private const int ReceiveBuffer = 8 << 20;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
    private readonly AddressedBatch _batch = new();
    private readonly IPEndPoint _server;

    public ForgedSource(int port, bool reads = false)
    {
        _server = new IPEndPoint(IPAddress.Loopback, port);
        _socket.ReceiveBufferSize = reads ? ReceiveBuffer : 0;
        _socket.Bind(new IPEndPoint(IPAddress.Any, 0));
    }

    /// <summary>Sends a datagram at an even rate, each time from another address, and returns the number of datagrams.</summary>
    public Sent Flood(byte[] datagram, double rate, TimeSpan time, Numbering numbering)
    {
        var size = (int)Math.Clamp(rate / 100, 1, DatagramBatch.Size);
        return new((long)Attack.AtRate(rate / size, time, batch =>
        {
            for (var at = 0; at < size; at++) { Put(at, datagram, (batch * size) + at, (uint)((batch * size) + at), numbering); }
            _batch.Send(_socket, size);
        }) * size);
    }

    /// <summary>Sends one datagram, with a message ID and a token of its own if it is long enough, from the address of a number.</summary>
    public void Send(ReadOnlySpan<byte> datagram, int number, uint address)
    {
        Put(0, datagram, number, address, Numberings.Tokens);
        _batch.Send(_socket, 1, 0);
    }

    /// <summary>Takes what has come for the forged addresses and returns its bytes.</summary>
    public long Drain()
    {
        long bytes = 0;
        for (int count; (count = _batch.Receive(_socket, DatagramBatch.Size)) > 0;)
        {
            for (var at = 0; at < count; at++) { bytes += _batch.Datagram(at).Length; }
        }
        return bytes;
    }

    public void Dispose()
    {
        _socket.Dispose();
        _batch.Dispose();
    }

    private void Put(int index, ReadOnlySpan<byte> datagram, int number, uint address, Numbering numbering)
    {
        var room = _batch.Room(index)[..datagram.Length];
        datagram.CopyTo(room);
        numbering(room, number);
        _batch.SetForged(index, datagram.Length, AttackNetwork.FirstForged + (address % AttackNetwork.Forged), _server);
    }
}
