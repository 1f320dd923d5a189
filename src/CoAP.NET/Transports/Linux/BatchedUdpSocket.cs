using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>One bound UDP socket of a lane. It receives and sends batches, and attributes errors to the datagrams that caused them.</summary>
/// <remarks>
/// The kernel reports an ICMP error twice: in the error queue of the socket, with the datagram that caused it, and as the failure of the next
/// call, whatever its peer. Only the entry in the queue is used. The failed call is repeated.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class BatchedUdpSocket : IUdpSource, IDisposable
{
    private readonly Socket _socket;
    private readonly int _file;
    private readonly bool _isWildcard;
    private readonly bool _isDual;
    private readonly PeerIdentity _bound;
    private readonly BatchedUdpOutput _output;
    private readonly TransportCounters _counters;
    private readonly SocketReadiness _readiness;
    private readonly ushort? _answeringPort;
    private uint _overflow;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="batchSize">The largest number of messages that one call sends.</param>
    /// <param name="failed">Receives the datagrams that cannot be sent.</param>
    /// <param name="counters">The counters of the transport.</param>
    /// <param name="signal">The signal to set when the socket becomes readable.</param>
    /// <param name="joinsDatagrams">Whether datagrams to one peer are joined, if the kernel can split them.</param>
    /// <param name="answeringPort">The port that answers are sent from, by another socket, if this socket receives multicast datagrams.</param>
    public BatchedUdpSocket(
        Socket socket, int batchSize, FailedSends failed, TransportCounters counters, WakeSignal signal, bool joinsDatagrams,
        ushort? answeringPort = null)
    {
        _answeringPort = answeringPort;
        (_socket, _counters) = (socket, counters);
        LocalEndPoint = (IPEndPoint)socket.LocalEndPoint!;
        Family = socket.AddressFamily;
        _isWildcard = LocalEndPoint.Address.Equals(IPAddress.Any) || LocalEndPoint.Address.Equals(IPAddress.IPv6Any);
        _isDual = Family == AddressFamily.InterNetworkV6 && _isWildcard && socket.DualMode;
        _bound = PeerIdentity.From(LocalEndPoint);
        _readiness = new SocketReadiness(socket, signal);
        var held = false;
        socket.SafeHandle.DangerousAddRef(ref held);
        _file = (int)socket.SafeHandle.DangerousGetHandle();
        var batch = new SendBatch(batchSize, Family, joinsDatagrams && ControlMessages.CanSegment(socket));
        _output = new BatchedUdpOutput(_file, batch, _isWildcard ? default : _bound, (ushort)_bound.Port, failed, counters);
    }

    public IPEndPoint LocalEndPoint { get; }

    public AddressFamily Family { get; }

    public int Port => _bound.Port;

    /// <summary>The descriptor.</summary>
    public SafeHandle File => _socket.SafeHandle;

    /// <summary>Whether datagrams are queued.</summary>
    public bool HasUnsent => _output.HasUnsent;

    /// <summary>Whether the error queue may have an entry.</summary>
    public bool HasErrors
    {
        get => _output.HasErrors;
        set => _output.HasErrors = value;
    }

    private ushort AnsweringPort => _answeringPort ?? (ushort)_bound.Port;

    /// <summary>Returns whether the socket is readable or has errors. If not, the signal is set when it becomes readable.</summary>
    public bool CheckReadiness()
    {
        var isReady = _readiness.IsReady();
        HasErrors |= _readiness.TakeFailure();
        return isReady || HasErrors;
    }

    public bool CanReach(in PeerIdentity peer) => _answeringPort is null && (peer.IsIPv4
        ? _isDual || Family == AddressFamily.InterNetwork
        : Family == AddressFamily.InterNetworkV6);

    public bool IsBoundTo(in PeerIdentity local) => _isWildcard
        ? !local.IsNone && local.Port == _bound.Port && CanReach(local)
        : local == _bound;

    /// <summary>Receives one batch and delivers its datagrams.</summary>
    /// <returns>The number of received messages.</returns>
    public int Receive(ReceiveBatch batch, IDatagramReceiver receiver)
    {
        HasErrors |= _readiness.TakeFailure();
        for (var attempt = 0; attempt < BatchedUdpOutput.MaxAttempts; attempt++)
        {
            if (HasErrors) { DrainErrors(batch, receiver); }
            var count = batch.Receive(_file);
            _counters[TransportCounters.SystemCalls]++;
            if (count >= 0) { return Deliver(batch, count, receiver); }
            var error = LinuxCalls.LastError;
            if (error == SocketError.WouldBlock) { return 0; }
            HasErrors |= error != SocketError.Interrupted;
        }
        return 0;
    }

    /// <summary>Queues a datagram. Returns <see langword="false"/> if it is too large.</summary>
    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (datagram.Length > AddressBytes.LargestDatagramTo(key.Peer)) { return false; }
        var choosesSource = _isWildcard && AddressBytes.CanBeSource(key.Local) && key.Local.IsIPv4 == key.Peer.IsIPv4;
        _output.Add(key.Peer, choosesSource ? key.Local : default, datagram);
        return true;
    }

    /// <summary>Sends a datagram to a multicast group through one interface.</summary>
    public SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path)
    {
        if (datagram.Length > AddressBytes.LargestDatagramTo(key.Peer)) { return SocketError.MessageSize; }
        Flush();
        try { path.Prepare(_socket, key.Peer.IsIPv4); }
        catch (SocketException exception) { return exception.SocketErrorCode; }
        return _output.SendAlone(key.Peer, datagram);
    }

    public void Flush() => _output.Flush();

    public void Dispose()
    {
        _socket.SafeHandle.DangerousRelease();
        _socket.Dispose();
        _output.Dispose();
    }

    private int Deliver(ReceiveBatch batch, int count, IDatagramReceiver receiver)
    {
        try
        {
            for (var i = 0; i < count; i++)
            {
                var local = ReadControl(batch.Control(i), out var isGroup, out var segmentSize);
                if (batch.IsTruncated(i))
                {
                    _counters[TransportCounters.Oversized]++;
                    continue;
                }

                Deliver(new ChannelKey(batch.Peer(i, Family), local), isGroup, batch.Datagram(i), segmentSize, receiver);
            }
        }
        finally
        {
            batch.Rearm(count);
        }
        return count;
    }

    // The kernel may join datagrams of one peer. All have the segment size except the last, which may be shorter.
    private void Deliver(in ChannelKey key, bool isGroup, ReadOnlySpan<byte> datagrams, int segmentSize, IDatagramReceiver receiver)
    {
        while (true)
        {
            var datagram = segmentSize > 0 && datagrams.Length > segmentSize ? datagrams[..segmentSize] : datagrams;
            _counters[TransportCounters.DatagramsReceived]++;
            if (isGroup) { receiver.OnGroupDatagram(key, datagram); }
            else { receiver.OnDatagram(key, datagram); }
            if (datagram.Length == datagrams.Length) { return; }
            datagrams = datagrams[datagram.Length..];
        }
    }

    private PeerIdentity ReadControl(ControlMessages control, out bool isGroup, out int segmentSize)
    {
        var local = _bound;
        segmentSize = 0;
        isGroup = _answeringPort is not null;
        while (control.MoveNext())
        {
            if (control.TryReadLocal(AnsweringPort, out var address))
            {
                local = address;
                if (control.IsGroupOrBroadcast(AnsweringPort, address, out var answering)) { (local, isGroup) = (answering, true); }
            }
            if (control is { Level: ControlMessages.LevelUdp, Type: ControlMessages.ReceivedSegmentSize, Data.Length: >= 4 })
            {
                segmentSize = MemoryMarshal.Read<int>(control.Data);
            }
            if (control is { Level: ControlMessages.LevelSocket, Type: ControlMessages.ReceiveOverflow, Data.Length: 4 })
            {
                var overflow = MemoryMarshal.Read<uint>(control.Data);
                _counters[TransportCounters.ReceiveOverflow] += overflow - _overflow;
                _overflow = overflow;
            }
        }

        return isGroup && !AddressBytes.CanBeSource(local) ? PeerIdentity.FromIPv4(0, AnsweringPort) : local;
    }

    private PeerIdentity ReadLocal(ControlMessages control)
    {
        var local = _bound;
        while (control.MoveNext())
        {
            if (control.TryReadLocal(AnsweringPort, out var address)) { local = address; }
        }
        return local;
    }

    private void DrainErrors(ReceiveBatch batch, IDatagramReceiver receiver)
    {
        for (var left = batch.Size; left > 0; left--)
        {
            _counters[TransportCounters.SystemCalls]++;
            if (!batch.ReceiveError(_file))
            {
                HasErrors = false;
                return;
            }

            try
            {
                ReportError(batch, receiver);
            }
            finally
            {
                batch.Rearm(1);
            }
        }
    }

    private void ReportError(ReceiveBatch batch, IDatagramReceiver receiver)
    {
        var error = SocketError.Success;
        for (var control = batch.Control(0); control.MoveNext();)
        {
            if (control.TryReadFinalError(out var reported)) { error = reported; }
        }

        if (error == SocketError.Success) { return; }
        _counters[TransportCounters.NetworkErrors]++;
        receiver.OnNetworkError(new ChannelKey(batch.Peer(0, Family), ReadLocal(batch.Control(0))), batch.Datagram(0), error);
    }
}
