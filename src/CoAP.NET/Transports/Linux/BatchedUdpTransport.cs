using System.Diagnostics.CodeAnalysis;
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
    private readonly Dictionary<ulong, BatchedUdpSocket> _further = [];     // of ports that were opened later, by their keys in the epoll set
    private volatile BatchedUdpSocket[] _opened = [];       // the same; replaced on each change, because a wait may be reading it
    private readonly UdpSettings _settings;
    private readonly Func<Socket[]>? _open;
    private readonly ReceiveBatch _input;
    private readonly FailedSends _failed = new();
    private readonly UdpSourceSelector<BatchedUdpSocket> _sources;
    private readonly WakeSignal _signal;
    private readonly EventFile _event;
    private readonly PollSet? _pollSet;
    private readonly SafeHandle[] _files;
    private Epoll? _epoll;
    private ulong _nextKey;
    private readonly Dictionary<int, BatchedUdpSocket> _byPort = [];
    private readonly List<BatchedUdpSocket> _unsent = [];
    private readonly byte[] _gap;
    private bool _hasPolled;
    private bool _isDisposed;

    /// <param name="sockets">The bound sockets.</param>
    /// <param name="groups">The sockets that have joined groups.</param>
    /// <param name="settings">The settings of the sockets.</param>
    /// <param name="open">Binds a socket to another port; <see langword="null"/> if the transport opens none.</param>
    public BatchedUdpTransport(
        IReadOnlyList<Socket> sockets, IReadOnlyList<Socket> groups, UdpSettings settings, Func<Socket[]>? open = null)
    {
        (_settings, _open) = (settings, open);
        _event = EventFile.Create();
        _signal = new WakeSignal(_event.Set);
        _input = new ReceiveBatch(settings.BatchSize, settings.MaxReceiveSize);
        LocalEndPoints = [.. sockets.Select(socket => (IPEndPoint)socket.LocalEndPoint!)];
        _sockets =
        [
            .. sockets.Select(Wrap),
            .. groups.Select(socket => new BatchedUdpSocket(
                socket, 1, _failed, Counters, _signal, joinsDatagrams: false, UdpTransport.PortOf(LocalEndPoints, socket.AddressFamily))),
        ];
        _sources = new UdpSourceSelector<BatchedUdpSocket>(_sockets);
        foreach (var socket in _sockets) { _byPort.TryAdd(socket.Port, socket); }
        _files = [.. sockets.Concat(groups).Select(socket => socket.SafeHandle), _event.Handle];
        _nextKey = (ulong)_files.Length;
        if (_sockets.Length > MaxPolled) { _epoll = Watch(_files); }
        else { _pollSet = new PollSet([.. _files.Select(file => (int)file.DangerousGetHandle())]); }
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
        foreach (var socket in _opened) { isReady |= socket.CheckReadiness(); }
        return isReady ? default : _signal.WaitAsync();
    }

    public IReadOnlyList<IPEndPoint> OpenPort()
    {
        if (_open is null || _isDisposed) { return []; }
        // The poll set, which a receive may be using, has the first sockets only.
        _epoll ??= Watch(_files);
        var sockets = _open();
        foreach (var socket in sockets) { Add(Wrap(socket)); }
        // A lane that sleeps does not wait for the new port yet.
        _signal.Set();
        return [.. sockets.Select(static socket => (IPEndPoint)socket.LocalEndPoint!)];
    }

    public void ClosePort(IReadOnlyList<IPEndPoint> bound)
    {
        foreach (var (key, socket) in _further.Where(one => bound.Contains(one.Value.LocalEndPoint)).ToArray())
        {
            socket.Flush();
            _unsent.Remove(socket);
            _further.Remove(key);
            _byPort.Remove(socket.Port);
            socket.Dispose();
        }
        _opened = [.. _further.Values];
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        foreach (var socket in _sockets.Concat(_further.Values)) { socket.Dispose(); }
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
            if (!TryFind(epoll.KeyAt(i), out var socket)) { continue; }
            socket.HasErrors |= (epoll.EventsAt(i) & EpollCalls.Failed) != 0;
            count += socket.Receive(_input, receiver);
        }
        return count;
    }

    // No socket has the key of the event, or of a port that this receive has closed.
    private bool TryFind(ulong key, [NotNullWhen(true)] out BatchedUdpSocket? socket)
    {
        socket = key < (ulong)_sockets.Length ? _sockets[(int)key] : _further.GetValueOrDefault(key);
        return socket is not null;
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

    private BatchedUdpSocket Wrap(Socket socket) =>
        new(socket, _settings.BatchSize, _failed, Counters, _signal, _settings.UsesSegmentationOffload);

    private void Add(BatchedUdpSocket socket)
    {
        var key = _nextKey++;
        try { Watch(_epoll!, socket.File, key); }
        catch
        {
            socket.Dispose();
            throw;
        }
        _further.Add(key, socket);
        _byPort[socket.Port] = socket;
        _opened = [.. _opened, socket];
    }

    // The key of each descriptor is its index.
    private static Epoll Watch(SafeHandle[] files)
    {
        var epoll = new Epoll(MaxEvents);
        for (var index = 0; index < files.Length; index++) { Watch(epoll, files[index], (ulong)index); }
        return epoll;
    }

    private static void Watch(Epoll epoll, SafeHandle file, ulong key)
    {
        var error = epoll.Watch(file, EpollCalls.Readable, key);
        if (error is not SocketError.Success) { throw new SocketException((int)error); }
    }
}
