using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The UDP sockets of one lane, driven by the calls that every system has: one datagram per call, one socket per local address.</summary>
/// <remarks>ICMP errors are ignored, because these calls do not report which datagram caused them (RFC 7252, section 4.2).</remarks>
internal sealed class PortableUdpTransport : IDatagramTransport
{
    private volatile PortableUdpSocket[] _sockets;      // replaced on each change, because a wait may be reading it
    private readonly Func<Socket[]>? _open;
    private readonly List<Socket> _waiting;
    private readonly byte[] _input;
    private readonly int _batchSize;
    private readonly Socket _waker;
    private readonly FailedSends _failed = new();
    private UdpSourceSelector<PortableUdpSocket> _sources;
    private readonly WakeSignal _signal;
    private volatile SocketReadiness[] _readiness;

    /// <param name="sockets">The bound sockets.</param>
    /// <param name="groups">The sockets that have joined groups.</param>
    /// <param name="settings">The settings of the sockets.</param>
    /// <param name="open">Binds sockets to another port; <see langword="null"/> if the transport opens none.</param>
    public PortableUdpTransport(
        IReadOnlyList<Socket> sockets, IReadOnlyList<Socket> groups, UdpSettings settings, Func<Socket[]>? open = null)
    {
        _open = open;
        _signal = new WakeSignal(WakeSleeper);
        LocalEndPoints = [.. sockets.Select(socket => (IPEndPoint)socket.LocalEndPoint!)];
        _sockets =
        [
            .. sockets.Select(socket => new PortableUdpSocket(socket, Counters)),
            .. groups.Select(socket => new PortableUdpSocket(socket, Counters, UdpTransport.PortOf(LocalEndPoints, socket.AddressFamily))),
        ];
        _sources = new UdpSourceSelector<PortableUdpSocket>(_sockets);
        _readiness = [.. _sockets.Select(socket => new SocketReadiness(socket.Socket, _signal))];
        _waiting = new List<Socket>(_sockets.Length + 1);
        _batchSize = settings.BatchSize;

        // One byte more than the largest datagram: a datagram that fills the buffer was truncated.
        _input = GC.AllocateUninitializedArray<byte>(settings.MaxReceiveSize + 1);
        _waker = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        _waker.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _waker.Connect(_waker.LocalEndPoint!);
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = TransportCounters.Open();

    public bool MustReceive => !_failed.IsEmpty;

    public int Receive(IDatagramReceiver receiver)
    {
        _failed.Deliver(receiver);
        var count = 0;
        foreach (var socket in _sockets) { count += socket.Receive(receiver, _input, _batchSize); }
        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (!key.Peer.IsIP || datagram.Length > AddressBytes.LargestDatagramTo(key.Peer) || _sources.Select(key) is not { } socket) { return false; }
        socket.Send(key.Peer, datagram, _failed);
        return true;
    }

    public SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path) =>
        key.Peer.IsIP && SelectForGroup(key, path.InterfaceIndex) is { } socket
            ? socket.SendToGroup(key.Peer, datagram, path)
            : SocketError.AddressFamilyNotSupported;

    public void Wait(TimeSpan timeout)
    {
        if (!_failed.IsEmpty || !_signal.TrySleep()) { return; }
        _waiting.Clear();
        foreach (var socket in _sockets) { _waiting.Add(socket.Socket); }
        _waiting.Add(_waker);
        var isInfinite = timeout == Timeout.InfiniteTimeSpan;
        Counters[TransportCounters.SystemCalls]++;
        try { Socket.Select(_waiting, null, null, isInfinite ? timeout : TimeSpan.FromTicks(Math.Max(timeout.Ticks, 0))); }
        catch (ObjectDisposedException) // A turn has closed a port since the list was made.
        {
            _signal.Awake();
            return;
        }
        if (_waiting.Contains(_waker)) { _waker.Receive(_input); }
        _signal.Awake();
    }

    public ValueTask WaitAsync()
    {
        var isReady = !_failed.IsEmpty;
        foreach (var readiness in _readiness) { isReady |= readiness.IsReady(); }
        return isReady ? default : _signal.WaitAsync();
    }

    public IReadOnlyList<IPEndPoint> OpenPort()
    {
        if (_open is null) { return []; }
        PortableUdpSocket[] opened = [.. _open().Select(socket => new PortableUdpSocket(socket, Counters))];
        Use([.. _sockets, .. opened], [.. _readiness, .. opened.Select(socket => new SocketReadiness(socket.Socket, _signal))]);
        // A lane that sleeps does not wait for the new port yet.
        _signal.Set();
        return [.. opened.Select(static socket => socket.LocalEndPoint)];
    }

    public void ClosePort(IReadOnlyList<IPEndPoint> bound)
    {
        var (sockets, readiness) = (_sockets, _readiness);
        int[] left = [.. Enumerable.Range(0, sockets.Length).Where(i => !bound.Contains(sockets[i].LocalEndPoint))];
        Use([.. left.Select(i => sockets[i])], [.. left.Select(i => readiness[i])]);
        foreach (var socket in sockets.Except(_sockets)) { socket.Socket.Dispose(); }
        // A lane that sleeps waits for the closed one.
        _signal.Set();
    }

    private void Use(PortableUdpSocket[] sockets, SocketReadiness[] readiness)
    {
        (_sockets, _readiness) = (sockets, readiness);
        _sources = new UdpSourceSelector<PortableUdpSocket>(sockets);
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        foreach (var socket in _sockets) { socket.Socket.Dispose(); }
        _waker.Dispose();
        Counters.Close();
    }

    // Answers come to the address that the request was sent from, so it must be an address of the interface.
    private PortableUdpSocket? SelectForGroup(in ChannelKey key, int interfaceIndex)
    {
        if (interfaceIndex == 0) { return _sources.Select(key); }
        var addresses = NetworkCards.AddressesOf(interfaceIndex);
        foreach (var socket in _sockets)
        {
            if (socket.CanReach(key.Peer) && addresses.Contains(socket.LocalEndPoint.Address)) { return socket; }
        }
        return _sources.Select(key);
    }

    private void WakeSleeper()
    {
        try
        {
            _waker.Send([1]);
        }
        catch (ObjectDisposedException)
        {
            // The lane has woken by itself and ended between the signal and this call.
        }
        catch (SocketException)
        {
            // The buffer of the waker is full, so the lane has already been woken.
        }
    }
}
