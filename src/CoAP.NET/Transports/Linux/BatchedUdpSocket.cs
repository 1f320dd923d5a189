using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>One bound UDP socket of a lane: receives and sends batches, and sorts out whose fault an error is.</summary>
/// <remarks>
/// The kernel reports an ICMP error twice: once in the socket's error queue, with the datagram it is about, and once as the failure of
/// whatever call comes next, to whomever. Only the queue is believed; the failing call is made again.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class BatchedUdpSocket : IDisposable
{
    private const int MaxAttempts = 4;

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

    /// <param name="socket">The socket; owned from now on.</param>
    /// <param name="batchSize">The most datagrams that one call sends.</param>
    /// <param name="failed">Where datagrams go that cannot be sent.</param>
    /// <param name="counters">What is counted.</param>
    /// <param name="signal">Is set when there is something to read.</param>
    /// <param name="gathers">Whether datagrams for one peer are handed to the kernel as one, where it can cut them up.</param>
    /// <param name="answeringPort">Of a socket that receives what is sent to a group: the port that answers leave from, by another socket.</param>
    public BatchedUdpSocket(
        Socket socket, int batchSize, FailedSends failed, TransportCounters counters, WakeSignal signal, bool gathers,
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
        var batch = new SendBatch(batchSize, Family, gathers && ControlMessages.CanSegment(socket));
        _output = new BatchedUdpOutput(_file, batch, _isWildcard ? default : _bound, (ushort)_bound.Port, failed, counters);
    }

    public IPEndPoint LocalEndPoint { get; }

    public AddressFamily Family { get; }

    private ushort LocalPort => _answeringPort ?? (ushort)_bound.Port;

    /// <summary>Whether datagrams are queued.</summary>
    public bool HasUnsent => _output.HasUnsent;

    /// <summary>Whether the error queue may hold something.</summary>
    public bool HasErrors
    {
        get => _output.HasErrors;
        set => _output.HasErrors = value;
    }

    public bool IsReadyOrPeeks()
    {
        var isReady = _readiness.IsReady();
        HasErrors |= _readiness.TakeFailure();
        return isReady || HasErrors;
    }

    public bool CanReach(in PeerIdentity peer) => _answeringPort is null && (peer.IsIPv4
        ? _isDual || Family == AddressFamily.InterNetwork
        : Family == AddressFamily.InterNetworkV6);

    public bool Has(in PeerIdentity local) => _isWildcard
        ? !local.IsNone && local.Port == _bound.Port && CanReach(local)
        : local == _bound;

    public int Receive(ReceiveBatch batch, IDatagramReceiver receiver)
    {
        HasErrors |= _readiness.TakeFailure();
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            if (HasErrors) { DrainErrors(batch, receiver); }
            var count = batch.Receive(_file);
            _counters.SystemCalls++;
            if (count >= 0) { return HandOn(batch, count, receiver); }
            var error = LinuxCalls.LastError;
            if (error == SocketError.WouldBlock) { return 0; }
            HasErrors |= error != SocketError.Interrupted;
        }
        return 0;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (datagram.Length > AddressBytes.LargestDatagramTo(key.Peer)) { return false; }
        var choosesSource = _isWildcard && AddressBytes.CanBeSource(key.Local) && key.Local.IsIPv4 == key.Peer.IsIPv4;
        _output.Add(key.Peer, choosesSource ? key.Local : default, datagram);
        return true;
    }

    /// <summary>Sends one datagram to a group, out of one interface.</summary>
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

    private int HandOn(ReceiveBatch batch, int count, IDatagramReceiver receiver)
    {
        try
        {
            for (var i = 0; i < count; i++)
            {
                var local = ReadControl(batch.Control(i), out var isToMany, out var length);
                if (batch.IsTruncated(i))
                {
                    _counters.Oversized++;
                    continue;
                }

                HandOn(new ChannelKey(batch.Peer(i, Family), local), isToMany, batch.Datagram(i), length, receiver);
            }
        }
        finally
        {
            batch.Rearm(count);
        }
        return count;
    }

    // What came together as one is handed on as the datagrams it was sent as, of this length but the last.
    private void HandOn(in ChannelKey key, bool isToMany, ReadOnlySpan<byte> datagrams, int length, IDatagramReceiver receiver)
    {
        while (true)
        {
            var datagram = length > 0 && datagrams.Length > length ? datagrams[..length] : datagrams;
            _counters.DatagramsReceived++;
            if (isToMany) { receiver.OnGroupDatagram(key, datagram); }
            else { receiver.OnDatagram(key, datagram); }
            if (datagram.Length == datagrams.Length) { return; }
            datagrams = datagrams[datagram.Length..];
        }
    }

    private PeerIdentity ReadControl(ControlMessages control, out bool isToMany, out int length)
    {
        var local = _bound;
        length = 0;
        isToMany = _answeringPort is not null;
        while (control.MoveNext())
        {
            if (control.TryReadLocal(LocalPort, out var address))
            {
                local = address;
                if (control.IsToMany(LocalPort, address, out var answering)) { (local, isToMany) = (answering, true); }
            }
            if (control is { Level: ControlMessages.LevelUdp, Type: ControlMessages.Gathered, Data.Length: >= 4 })
            {
                length = MemoryMarshal.Read<int>(control.Data);
            }
            if (control is { Level: ControlMessages.LevelSocket, Type: ControlMessages.ReceiveOverflow, Data.Length: 4 })
            {
                var overflow = MemoryMarshal.Read<uint>(control.Data);
                _counters.ReceiveOverflow += overflow - _overflow;
                _overflow = overflow;
            }
        }

        return isToMany && !AddressBytes.CanBeSource(local) ? PeerIdentity.FromIPv4(0, LocalPort) : local;
    }

    private PeerIdentity ReadLocal(ControlMessages control)
    {
        var local = _bound;
        while (control.MoveNext())
        {
            if (control.TryReadLocal(LocalPort, out var address)) { local = address; }
        }
        return local;
    }

    private void DrainErrors(ReceiveBatch batch, IDatagramReceiver receiver)
    {
        for (var left = batch.Size; left > 0; left--)
        {
            _counters.SystemCalls++;
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
        _counters.NetworkErrors++;
        receiver.OnNetworkError(new ChannelKey(batch.Peer(0, Family), ReadLocal(batch.Control(0))), batch.Datagram(0), error);
    }
}
