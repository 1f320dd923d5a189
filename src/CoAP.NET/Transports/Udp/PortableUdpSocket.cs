using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A UDP socket with one local address, driven by the calls that every system has: one datagram per call.</summary>
internal sealed class PortableUdpSocket : IUdpSource
{
    private readonly TransportCounters _counters;
    private readonly PeerIdentity _local;
    private readonly bool _isGroup;
    private readonly SocketAddress _sender;
    private readonly SocketAddress _destination;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="counters">The counters of the transport.</param>
    /// <param name="answeringPort">
    /// The port that answers are sent from, by another socket, if this socket receives multicast datagrams.
    /// </param>
    public PortableUdpSocket(Socket socket, TransportCounters counters, ushort? answeringPort = null)
    {
        socket.Blocking = false;
        (Socket, _counters, _isGroup) = (socket, counters, answeringPort is not null);
        LocalEndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _local = answeringPort is { } port ? PeerIdentity.FromIPv4(0, port) : PeerIdentity.From(LocalEndPoint);
        (_sender, _destination) = (new SocketAddress(socket.AddressFamily), new SocketAddress(socket.AddressFamily));
    }

    public Socket Socket { get; }

    public IPEndPoint LocalEndPoint { get; }

    public int Port => _local.Port;

    public bool CanReach(in PeerIdentity peer) => !_isGroup && peer.IsIPv4 == (Socket.AddressFamily == AddressFamily.InterNetwork);

    public bool IsBoundTo(in PeerIdentity local) => local == _local;

    /// <summary>Delivers waiting datagrams, at most one batch.</summary>
    public int Receive(IDatagramReceiver receiver, byte[] input, int batchSize)
    {
        var count = 0;
        for (; count < batchSize; count++)
        {
            // The poll costs one more call, but a receive that finds nothing costs an exception.
            _counters[TransportCounters.SystemCalls]++;
            if (!Socket.Poll(0, SelectMode.SelectRead)) { break; }

            _counters[TransportCounters.SystemCalls]++;
            if (!TryReceive(input, out var key, out var length)) { continue; }
            _counters[TransportCounters.DatagramsReceived]++;
            if (_isGroup) { receiver.OnGroupDatagram(key, input.AsSpan(0, length)); }
            else { receiver.OnDatagram(key, input.AsSpan(0, length)); }
        }

        return count;
    }

    /// <summary>Sends a datagram. If the buffer is full, waits a little and tries once more.</summary>
    public void Send(in PeerIdentity peer, ReadOnlySpan<byte> datagram, FailedSends failed)
    {
        AddressBytes.Write(peer, _destination.Buffer.Span, _destination.Family);
        var error = TrySend(datagram);
        if (error == SocketError.WouldBlock)
        {
            _counters[TransportCounters.SystemCalls]++;
            if (Socket.Poll(UdpTransport.MaxSendWait, SelectMode.SelectWrite)) { error = TrySend(datagram); }
        }

        if (error == SocketError.Success) { return; }
        _counters[TransportCounters.SendFailures]++;
        if (error is not (SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable)) { failed.Add(new ChannelKey(peer, _local), datagram, error); }
    }

    /// <summary>Sends a datagram to a multicast group through one interface.</summary>
    public SocketError SendToGroup(in PeerIdentity group, ReadOnlySpan<byte> datagram, GroupPath path)
    {
        AddressBytes.Write(group, _destination.Buffer.Span, _destination.Family);
        SocketError error;
        try
        {
            path.Prepare(Socket, group.IsIPv4);
            error = TrySend(datagram);
        }
        catch (SocketException exception)
        {
            error = exception.SocketErrorCode;
        }

        if (error != SocketError.Success) { _counters[TransportCounters.SendFailures]++; }
        return error;
    }

    private SocketError TrySend(ReadOnlySpan<byte> datagram)
    {
        try
        {
            _counters[TransportCounters.SystemCalls]++;
            Socket.SendTo(datagram, SocketFlags.None, _destination);
            _counters[TransportCounters.DatagramsSent]++;
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode;
        }
    }

    private bool TryReceive(byte[] input, out ChannelKey key, out int length)
    {
        try
        {
            length = _isGroup ? ReceiveFromGroup(input, out key) : ReceiveUnicast(input, out key);
            if (length < input.Length) { return length >= 0; }
            _counters[TransportCounters.Oversized]++;
        }
        catch (SocketException exception)
        {
            // Windows reports a truncated datagram as this error. Any other error belongs to an unknown datagram.
            if (exception.SocketErrorCode == SocketError.MessageSize) { _counters[TransportCounters.Oversized]++; }
            key = default;
        }

        length = 0;
        return false;
    }

    // A datagram that fills the buffer was truncated.
    private int ReceiveUnicast(byte[] input, out ChannelKey key)
    {
        var length = Socket.ReceiveFrom(input, SocketFlags.None, _sender);
        key = new ChannelKey(AddressBytes.Read(_sender.Buffer.Span, Socket.AddressFamily), _local);
        return length;
    }

    // Returns -1 for a datagram to be dropped.
    private int ReceiveFromGroup(byte[] input, out ChannelKey key)
    {
        var (peer, flags) = ((EndPoint)LocalEndPoint, SocketFlags.None);
        var length = Socket.ReceiveMessageFrom(input, ref flags, ref peer, out var packet);
        key = new ChannelKey(PeerIdentity.From((IPEndPoint)peer), _local);
        if ((flags & SocketFlags.Truncated) != 0) { return input.Length; }

        // A socket that is not bound to its group also receives datagrams to addresses that no other socket is bound to.
        return packet.Address is { } destination && destination.IsMulticast() ? length : -1;
    }
}
