using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A UDP socket that receives one datagram per call, with the calls that every system has.</summary>
internal abstract class PortableSocket
{
    private readonly bool _isGroup;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="counters">The counters of the transport.</param>
    /// <param name="isGroup">Whether the socket receives multicast datagrams.</param>
    protected PortableSocket(Socket socket, TransportCounters counters, bool isGroup)
    {
        socket.Blocking = false;
        (Socket, Counters, _isGroup) = (socket, counters, isGroup);
    }

    public Socket Socket { get; }

    protected TransportCounters Counters { get; }

    /// <summary>Delivers waiting datagrams, at most one batch.</summary>
    public int Receive(IDatagramReceiver receiver, byte[] input, int batchSize)
    {
        var count = 0;
        for (; count < batchSize; count++)
        {
            // The poll costs one more call, but a receive that finds nothing costs an exception.
            Counters[TransportCounters.SystemCalls]++;
            if (!Socket.Poll(0, SelectMode.SelectRead)) { break; }
            Counters[TransportCounters.SystemCalls]++;
            if (!TryReceive(input, out var key, out var length)) { continue; }
            Counters[TransportCounters.DatagramsReceived]++;
            if (_isGroup) { receiver.OnGroupDatagram(key, input.AsSpan(0, length)); }
            else { receiver.OnDatagram(key, input.AsSpan(0, length)); }
        }

        return count;
    }

    /// <summary>Receives one datagram. A datagram that fills the buffer was truncated.</summary>
    /// <returns>The length, or -1 if the datagram is to be dropped.</returns>
    /// <exception cref="SocketException">The datagram was truncated, or the socket reports an error.</exception>
    protected abstract int ReceiveOne(byte[] input, out ChannelKey key);

    private bool TryReceive(byte[] input, out ChannelKey key, out int length)
    {
        try
        {
            length = ReceiveOne(input, out key);
            if (length < input.Length) { return length >= 0; }
            Counters[TransportCounters.Oversized]++;
        }
        catch (SocketException exception)
        {
            // Windows reports a truncated datagram as this error. Any other error belongs to an unknown datagram.
            if (exception.SocketErrorCode == SocketError.MessageSize) { Counters[TransportCounters.Oversized]++; }
            key = default;
        }

        length = 0;
        return false;
    }
}
