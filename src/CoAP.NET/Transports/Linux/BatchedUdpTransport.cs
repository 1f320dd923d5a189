using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>The UDP sockets of one lane on Linux: whole batches per system call, and nothing allocated for a datagram.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class BatchedUdpTransport : IDatagramTransport
{
    // Asking for each of them costs less up to here; beyond, the system keeps track of them.
    private const int Few = 4;

    private readonly BatchedUdpSocket[] _sockets;
    private readonly ReceiveBatch _input;
    private readonly FailedSends _failed = new();
    private readonly RouteLookup _routes = new();
    private readonly WakeSignal _signal;
    private readonly SafeFileHandle _event;
    private readonly PollEntry* _entries;
    private readonly ReadySockets? _many;
    private readonly Dictionary<int, BatchedUdpSocket> _byPort = [];
    private readonly List<BatchedUdpSocket> _unsent = [];
    private bool _hasLooked;
    private bool _isDisposed;

    public BatchedUdpTransport(IReadOnlyList<Socket> sockets, IReadOnlyList<Socket> groups, UdpSettings settings)
    {
        _event = new SafeFileHandle(LinuxCalls.CreateEvent(0, LinuxCalls.EventNonBlocking | LinuxCalls.EventCloseOnExec), ownsHandle: true);
        if (_event.IsInvalid) { throw new SocketException((int)LinuxCalls.LastError); }
        _signal = new WakeSignal(WakeSleeper);
        _input = new ReceiveBatch(settings.BatchSize, settings.MaxReceiveSize);
        LocalEndPoints = [.. sockets.Select(socket => (IPEndPoint)socket.LocalEndPoint!)];
        _sockets =
        [
            .. sockets.Select(socket => new BatchedUdpSocket(socket, settings.BatchSize, _failed, Counters, _signal)),
            .. groups.Select(socket => new BatchedUdpSocket(socket, 1, _failed, Counters, _signal, PortOf(socket.AddressFamily))),
        ];
        _entries = (PollEntry*)NativeMemory.AllocZeroed((nuint)_sockets.Length + 1, (nuint)sizeof(PollEntry));
        for (var i = 0; i < _sockets.Length; i++) { _entries[i] = new PollEntry { File = _sockets[i].File, Wanted = LinuxCalls.PollIn }; }
        foreach (var socket in _sockets) { _byPort.TryAdd(socket.LocalEndPoint.Port, socket); }
        if (_sockets.Length > Few) { _many = new ReadySockets([.. sockets.Concat(groups).Select(socket => socket.SafeHandle)], _event); }
        _entries[_sockets.Length] = new PollEntry { File = (int)_event.DangerousGetHandle(), Wanted = LinuxCalls.PollIn };
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = new();

    public bool MustReceive => !_failed.IsEmpty;

    public bool MayHaveMore { get; private set; }

    public int Receive(IDatagramReceiver receiver)
    {
        _failed.Deliver(receiver);
        var count = _many is { } many ? ReceiveFrom(many, receiver) : ReceiveFromAll(receiver);
        _hasLooked = false;
        // One datagram is what a peer sends that waits for its answer: only a wait will find the next.
        MayHaveMore = count > 1;
        return count;
    }

    private int ReceiveFrom(ReadySockets many, IDatagramReceiver receiver)
    {
        if (!_hasLooked) { Look(many, 0); }
        var count = 0;
        for (var found = 0; found < many.Count; found++)
        {
            if (many[found] == _sockets.Length) { continue; }
            var socket = _sockets[many[found]];
            socket.HasErrors |= many.HasErrors(found);
            count += socket.Receive(_input, receiver);
        }
        return count;
    }

    private int ReceiveFromAll(IDatagramReceiver receiver)
    {
        var count = 0;
        for (var i = 0; i < _sockets.Length; i++)
        {
            if (_hasLooked) { _sockets[i].HasErrors |= (_entries[i].Happened & LinuxCalls.PollError) != 0; }
            if (_hasLooked && _entries[i].Happened == 0 && !_sockets[i].HasErrors) { continue; }
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
        Poll(timeout);
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
        _event.Dispose();
        _input.Dispose();
        NativeMemory.Free(_entries);
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

    private void Look(ReadySockets many, int milliseconds)
    {
        Counters.SystemCalls++;
        many.Wait(milliseconds);
        _hasLooked = true;
        for (var found = 0; found < many.Count; found++)
        {
            if (many[found] == _sockets.Length) { ForgetWakeUp(); }
        }
    }

    private void Poll(TimeSpan timeout)
    {
        if (_many is { } many)
        {
            Look(many, timeout == Timeout.InfiniteTimeSpan ? -1 : (int)Math.Clamp(Math.Ceiling(timeout.TotalMilliseconds), 0, int.MaxValue));
            return;
        }
        var time = LinuxCalls.ToTimeSpec(timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout);
        var isForEver = timeout == Timeout.InfiniteTimeSpan;
        var count = _sockets.Length;
        Counters.SystemCalls++;
        var ready = LinuxCalls.Poll(_entries, (nuint)count + 1, isForEver ? null : &time, null);
        _hasLooked = ready >= 0;
        if (ready <= 0) { return; }
        if (_entries[count].Happened != 0) { ForgetWakeUp(); }
    }

    private void ForgetWakeUp()
    {
        ulong value;
        _ = LinuxCalls.Read(_entries[_sockets.Length].File, &value, sizeof(ulong));
        Counters.SystemCalls++;
    }

    private void WakeSleeper()
    {
        var one = 1UL;
        try
        {
            _ = LinuxCalls.Write(_event, &one, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
            // The lane has woken by itself and ended between the signal and this call.
        }
    }
}
