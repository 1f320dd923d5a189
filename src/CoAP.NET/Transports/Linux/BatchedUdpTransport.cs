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
    private readonly BatchedUdpSocket[] _sockets;
    private readonly ReceiveBatch _input;
    private readonly FailedSends _failed = new();
    private readonly RouteLookup _routes = new();
    private readonly WakeSignal _signal;
    private readonly SafeFileHandle _event;
    private readonly PollEntry* _entries;
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
        _entries[_sockets.Length] = new PollEntry { File = (int)_event.DangerousGetHandle(), Wanted = LinuxCalls.PollIn };
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = new();

    public bool MustReceive => !_failed.IsEmpty;

    public bool MayHaveMore { get; private set; }

    public int Receive(IDatagramReceiver receiver)
    {
        _failed.Deliver(receiver);
        var count = 0;
        for (var i = 0; i < _sockets.Length; i++)
        {
            if (_hasLooked) { _sockets[i].HasErrors |= (_entries[i].Happened & LinuxCalls.PollError) != 0; }
            if (_hasLooked && _entries[i].Happened == 0 && !_sockets[i].HasErrors) { continue; }
            count += _sockets[i].Receive(_input, receiver);
        }
        _hasLooked = false;
        // One datagram is what a peer sends that waits for its answer: only a wait will find the next.
        MayHaveMore = count > 1;
        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram) =>
        key.Peer.IsIP && Choose(key) is { } socket && socket.Send(key, datagram);

    public SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path) =>
        Choose(key) is { } socket ? socket.SendToGroup(key, datagram, path) : SocketError.AddressFamilyNotSupported;

    public void Flush()
    {
        foreach (var socket in _sockets) { socket.Flush(); }
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
        _event.Dispose();
        _input.Dispose();
        NativeMemory.Free(_entries);
    }

    private BatchedUdpSocket? Choose(in ChannelKey key)
    {
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

    private void Poll(TimeSpan timeout)
    {
        var time = LinuxCalls.ToTimeSpec(timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout);
        var isForEver = timeout == Timeout.InfiniteTimeSpan;
        var count = _sockets.Length;
        Counters.SystemCalls++;
        var ready = LinuxCalls.Poll(_entries, (nuint)count + 1, isForEver ? null : &time, null);
        _hasLooked = ready >= 0;
        if (ready <= 0) { return; }
        if (_entries[count].Happened == 0) { return; }
        ulong value;
        _ = LinuxCalls.Read(_entries[count].File, &value, sizeof(ulong));
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
