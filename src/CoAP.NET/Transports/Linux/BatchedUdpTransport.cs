using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>The UDP sockets of one lane on Linux. One system call moves a whole batch, and a datagram allocates nothing.</summary>
[SupportedOSPlatform("linux")]
internal sealed class BatchedUdpTransport : IDatagramTransport
{
    // Up to this number of sockets, polling each of them is cheaper than an epoll set.
    private const int MaxPolled = 4;
    private const int MaxEvents = 64;

    private readonly BatchedUdpSocket[] _sockets;
    private readonly ReceiveBatch _input;
    private readonly FailedSends _failed = new();
    private readonly UdpSourceSelector<BatchedUdpSocket> _sources;
    private readonly WakeSignal _signal;
    private readonly EventFile _event;
    private readonly PollSet? _pollSet;
    private readonly Epoll? _epoll;
    private readonly Dictionary<int, BatchedUdpSocket> _byPort = [];
    private readonly List<BatchedUdpSocket> _unsent = [];
    private readonly byte[] _gap;
    private bool _hasPolled;
    private bool _isDisposed;

    public BatchedUdpTransport(IReadOnlyList<Socket> sockets, IReadOnlyList<Socket> groups, UdpSettings settings)
    {
        _event = EventFile.Create();
        _signal = new WakeSignal(_event.Set);
        _input = new ReceiveBatch(settings.BatchSize, settings.MaxReceiveSize);
        LocalEndPoints = [.. sockets.Select(socket => (IPEndPoint)socket.LocalEndPoint!)];
        _sockets =
        [
            .. sockets.Select(socket => new BatchedUdpSocket(socket, settings.BatchSize, _failed, Counters, _signal, settings.UsesSegmentationOffload)),
            .. groups.Select(socket => new BatchedUdpSocket(
                socket, 1, _failed, Counters, _signal, joinsDatagrams: false, UdpTransport.PortOf(LocalEndPoints, socket.AddressFamily))),
        ];
        _sources = new UdpSourceSelector<BatchedUdpSocket>(_sockets);
        foreach (var socket in _sockets) { _byPort.TryAdd(socket.Port, socket); }
        SafeHandle[] files = [.. sockets.Concat(groups).Select(socket => socket.SafeHandle), _event.Handle];
        if (_sockets.Length > MaxPolled) { _epoll = Watch(files); }
        else { _pollSet = new PollSet([.. files.Select(file => (int)file.DangerousGetHandle())]); }
        _gap = new byte[UdpTransport.Gap];       // the memory of the next lane may follow
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = TransportCounters.Open();

    public bool MustReceive => !_failed.IsEmpty;

    public bool MayHaveMore { get; private set; }

    public int Receive(IDatagramReceiver receiver)
    {
        _failed.Deliver(receiver);
        var count = _epoll is { } epoll ? ReceiveFrom(epoll, receiver) : ReceiveFrom(_pollSet!, receiver);
        _hasPolled = false;
        // A peer that waits for its answer has sent one datagram, so another receive is unlikely to find more.
        MayHaveMore = count > 1;
        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        // A user's block may still emit when the lane has ended and the buffers are freed.
        if (_isDisposed || !key.Peer.IsIP || Select(key) is not { } socket) { return false; }
        if (!socket.HasUnsent) { _unsent.Add(socket); }
        return socket.Send(key, datagram);
    }

    public SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path) =>
        !_isDisposed && Select(key) is { } socket ? socket.SendToGroup(key, datagram, path) : SocketError.AddressFamilyNotSupported;

    public void Flush()
    {
        foreach (var socket in _unsent) { socket.Flush(); }
        _unsent.Clear();
    }

    public void Wait(TimeSpan timeout)
    {
        if (!_failed.IsEmpty || !_signal.TrySleep()) { return; }
        if (_epoll is { } epoll) { Poll(epoll, timeout); }
        else { Poll(_pollSet!, timeout); }
        _signal.Awake();
    }

    public ValueTask WaitAsync()
    {
        var isReady = !_failed.IsEmpty;
        foreach (var socket in _sockets) { isReady |= socket.CheckReadiness(); }
        return isReady ? default : _signal.WaitAsync();
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        foreach (var socket in _sockets) { socket.Dispose(); }
        _epoll?.Dispose();
        _pollSet?.Dispose();
        _event.Dispose();
        _input.Dispose();
        Counters.Close();
    }

    private int ReceiveFrom(Epoll epoll, IDatagramReceiver receiver)
    {
        if (!_hasPolled) { Poll(epoll, TimeSpan.Zero); }
        var count = 0;
        for (var i = 0; i < epoll.Count; i++)
        {
            var index = (int)epoll.KeyAt(i);
            if (index == _sockets.Length) { continue; }
            var socket = _sockets[index];
            socket.HasErrors |= (epoll.EventsAt(i) & EpollCalls.Failed) != 0;
            count += socket.Receive(_input, receiver);
        }
        return count;
    }

    private int ReceiveFrom(PollSet pollSet, IDatagramReceiver receiver)
    {
        var count = 0;
        for (var i = 0; i < _sockets.Length; i++)
        {
            if (_hasPolled) { _sockets[i].HasErrors |= pollSet.HasErrors(i); }
            if (_hasPolled && !pollSet.IsReady(i) && !_sockets[i].HasErrors) { continue; }
            count += _sockets[i].Receive(_input, receiver);
        }
        return count;
    }

    private BatchedUdpSocket? Select(in ChannelKey key) =>
        _byPort.TryGetValue(key.Local.Port, out var known) && known.CanReach(key.Peer) && known.IsBoundTo(key.Local) ? known : _sources.Select(key);

    private void Poll(Epoll epoll, TimeSpan timeout)
    {
        Counters[TransportCounters.SystemCalls]++;
        epoll.Wait(timeout);
        _hasPolled = true;
        for (var i = 0; i < epoll.Count; i++)
        {
            if ((int)epoll.KeyAt(i) == _sockets.Length) { ResetEvent(); }
        }
    }

    private void Poll(PollSet pollSet, TimeSpan timeout)
    {
        Counters[TransportCounters.SystemCalls]++;
        _hasPolled = pollSet.Wait(timeout);
        if (_hasPolled && pollSet.IsReady(_sockets.Length)) { ResetEvent(); }
    }

    private void ResetEvent()
    {
        _event.Reset();
        Counters[TransportCounters.SystemCalls]++;
    }

    // The key of each descriptor is its index.
    private static Epoll Watch(SafeHandle[] files)
    {
        var epoll = new Epoll(MaxEvents);
        for (var index = 0; index < files.Length; index++)
        {
            var error = epoll.Watch(files[index], EpollCalls.Readable, (ulong)index);
            if (error is not SocketError.Success) { throw new SocketException((int)error); }
        }
        return epoll;
    }
}
