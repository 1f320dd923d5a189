using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>The UDP sockets of one lane on Linux: whole batches per system call, and nothing allocated for a datagram.</summary>
[SupportedOSPlatform("linux")]
internal sealed class BatchedUdpTransport : IDatagramTransport
{
    // Asking for each of them costs less up to here; beyond, the system keeps track of them.
    private const int Few = 4;
    private const int FoundAtOnce = 64;

    private readonly BatchedUdpSocket[] _sockets;
    private readonly ReceiveBatch _input;
    private readonly FailedSends _failed = new();
    private readonly RouteLookup _routes = new();
    private readonly WakeSignal _signal;
    private readonly EventFile _event;
    private readonly PollSet? _few;
    private readonly Epoll? _many;
    private readonly Dictionary<int, BatchedUdpSocket> _byPort = [];
    private readonly List<BatchedUdpSocket> _unsent = [];
    private readonly byte[] _gap;
    private bool _hasLooked;
    private bool _isDisposed;

    public BatchedUdpTransport(IReadOnlyList<Socket> sockets, IReadOnlyList<Socket> groups, UdpSettings settings)
    {
        _event = EventFile.Create();
        _signal = new WakeSignal(_event.Set);
        _input = new ReceiveBatch(settings.BatchSize, settings.MaxReceiveSize);
        LocalEndPoints = [.. sockets.Select(socket => (IPEndPoint)socket.LocalEndPoint!)];
        _sockets =
        [
            .. sockets.Select(socket => new BatchedUdpSocket(socket, settings.BatchSize, _failed, Counters, _signal, settings.GathersDatagrams)),
            .. groups.Select(socket => new BatchedUdpSocket(socket, 1, _failed, Counters, _signal, gathers: false, PortOf(socket.AddressFamily))),
        ];
        foreach (var socket in _sockets) { _byPort.TryAdd(socket.LocalEndPoint.Port, socket); }
        SafeHandle[] files = [.. sockets.Concat(groups).Select(socket => socket.SafeHandle), _event.Handle];
        if (_sockets.Length > Few) { _many = SetOf(files); }
        else { _few = new PollSet([.. files.Select(file => (int)file.DangerousGetHandle())]); }
        _gap = new byte[UdpTransport.Gap];       // the transport of the next lane comes behind it
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = new();

    public bool MustReceive => !_failed.IsEmpty;

    public bool MayHaveMore { get; private set; }

    public int Receive(IDatagramReceiver receiver)
    {
        _failed.Deliver(receiver);
        var count = _many is { } many ? ReceiveFrom(many, receiver) : ReceiveFrom(_few!, receiver);
        _hasLooked = false;
        // One datagram is what a peer sends that waits for its answer: only a wait will find the next.
        MayHaveMore = count > 1;
        return count;
    }

    private int ReceiveFrom(Epoll many, IDatagramReceiver receiver)
    {
        if (!_hasLooked) { Look(many, TimeSpan.Zero); }
        var count = 0;
        for (var found = 0; found < many.Count; found++)
        {
            var place = (int)many.KeyAt(found);
            if (place == _sockets.Length) { continue; }
            var socket = _sockets[place];
            socket.HasErrors |= (many.EventsAt(found) & EpollCalls.Failed) != 0;
            count += socket.Receive(_input, receiver);
        }
        return count;
    }

    private int ReceiveFrom(PollSet few, IDatagramReceiver receiver)
    {
        var count = 0;
        for (var i = 0; i < _sockets.Length; i++)
        {
            if (_hasLooked) { _sockets[i].HasErrors |= few.HasErrors(i); }
            if (_hasLooked && !few.IsReady(i) && !_sockets[i].HasErrors) { continue; }
            count += _sockets[i].Receive(_input, receiver);
        }
        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram) =>
        key.Peer.IsIP && Choose(key) is { } socket && Queue(socket, key, datagram);

    private bool Queue(BatchedUdpSocket socket, in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (!socket.HasUnsent) { _unsent.Add(socket); }
        return socket.Send(key, datagram);
    }

    public SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path) =>
        Choose(key) is { } socket ? socket.SendToGroup(key, datagram, path) : SocketError.AddressFamilyNotSupported;

    public void Flush()
    {
        foreach (var socket in _unsent) { socket.Flush(); }
        _unsent.Clear();
    }

    public void Wait(TimeSpan timeout)
    {
        if (!_failed.IsEmpty || !_signal.TrySleep()) { return; }
        if (_many is { } many) { Look(many, timeout); }
        else { Look(_few!, timeout); }
        _signal.Awake();
    }

    public ValueTask WaitAsync()
    {
        var isReady = !_failed.IsEmpty;
        foreach (var socket in _sockets) { isReady |= socket.IsReadyOrPeeks(); }
        return isReady ? default : _signal.WaitAsync();
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        foreach (var socket in _sockets) { socket.Dispose(); }
        _many?.Dispose();
        _few?.Dispose();
        _event.Dispose();
        _input.Dispose();
    }

    private BatchedUdpSocket? Choose(in ChannelKey key)
    {
        if (_byPort.TryGetValue(key.Local.Port, out var known) && known.CanReach(key.Peer) && known.Has(key.Local)) { return known; }
        BatchedUdpSocket? any = null;
        var isOnly = true;
        foreach (var socket in _sockets)
        {
            if (!socket.CanReach(key.Peer)) { continue; }
            if (socket.Has(key.Local)) { return socket; }
            isOnly = any is null;
            any ??= socket;
        }

        return isOnly || AddressBytes.CanBeSource(key.Local) ? any : ChooseByRoute(key.Peer) ?? any;
    }

    private ushort PortOf(AddressFamily family) =>
        (ushort)(LocalEndPoints.FirstOrDefault(local => local.AddressFamily == family) ?? LocalEndPoints[0]).Port;

    private BatchedUdpSocket? ChooseByRoute(in PeerIdentity peer)
    {
        foreach (var socket in _sockets)
        {
            if (socket.CanReach(peer) && socket.Has(_routes.SourceFor(peer, socket.LocalEndPoint.Port))) { return socket; }
        }

        return null;
    }

    private void Look(Epoll many, TimeSpan timeout)
    {
        Counters.SystemCalls++;
        many.Wait(timeout);
        _hasLooked = true;
        for (var found = 0; found < many.Count; found++)
        {
            if ((int)many.KeyAt(found) == _sockets.Length) { ForgetWakeUp(); }
        }
    }

    private void Look(PollSet few, TimeSpan timeout)
    {
        Counters.SystemCalls++;
        _hasLooked = few.Wait(timeout);
        if (_hasLooked && few.IsReady(_sockets.Length)) { ForgetWakeUp(); }
    }

    private void ForgetWakeUp()
    {
        _event.Take();
        Counters.SystemCalls++;
    }

    // Each is known by its place.
    private static Epoll SetOf(SafeHandle[] files)
    {
        var set = new Epoll(FoundAtOnce);
        for (var place = 0; place < files.Length; place++)
        {
            var error = set.Watch(files[place], EpollCalls.Readable, (ulong)place);
            if (error is not SocketError.Success) { throw new SocketException((int)error); }
        }
        return set;
    }
}
