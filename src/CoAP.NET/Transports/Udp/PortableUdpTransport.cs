using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>
/// The UDP sockets of one lane by the calls that every system has: one datagram a call, one socket for each local address.
/// </summary>
/// <remarks>
/// Errors that come back by ICMP are ignored, since these calls do not tell which datagram they are about (RFC 7252, section 4.2).
/// </remarks>
internal sealed class PortableUdpTransport : IDatagramTransport
{
    private static readonly TimeSpan MaxSendWait = TimeSpan.FromMilliseconds(5);

    private readonly Bound[] _sockets;
    private readonly PortableGroupSocket[] _groups;
    private readonly List<Socket> _waiting;
    private readonly byte[] _input;
    private readonly int _batchSize;
    private readonly Socket _waker;
    private readonly FailedSends _failed = new();
    private readonly RouteLookup _routes = new();
    private readonly WakeSignal _signal;
    private readonly SocketReadiness[] _readiness;

    public PortableUdpTransport(IReadOnlyList<Socket> sockets, IReadOnlyList<Socket> groups, UdpSettings settings)
    {
        _signal = new WakeSignal(WakeSleeper);
        _sockets = [.. sockets.Select(socket => new Bound(socket))];
        _groups = [.. groups.Select(socket => new PortableGroupSocket(socket, PortOf(socket.AddressFamily), Counters))];
        _readiness = [.. sockets.Concat(groups).Select(socket => new SocketReadiness(socket, _signal))];
        _waiting = new List<Socket>(_sockets.Length + _groups.Length + 1);
        _batchSize = settings.BatchSize;

        // One byte more than is taken tells a datagram that fits from one that was cut off.
        _input = GC.AllocateUninitializedArray<byte>(settings.MaxReceiveSize + 1);
        _waker = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        _waker.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _waker.Connect(_waker.LocalEndPoint!);
        LocalEndPoints = [.. sockets.Select(socket => (IPEndPoint)socket.LocalEndPoint!)];
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = new();

    public bool MustReceive => !_failed.IsEmpty;

    public int Receive(IDatagramReceiver receiver)
    {
        _failed.Deliver(receiver);
        var count = 0;
        foreach (var bound in _sockets) { count += Receive(bound, receiver); }
        foreach (var group in _groups) { count += group.Receive(receiver, _input, _batchSize); }
        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (!key.Peer.IsIP || datagram.Length > AddressBytes.LargestDatagramTo(key.Peer) || Choose(key) is not { } bound) { return false; }
        var address = bound.Output;
        AddressBytes.Write(key.Peer, address.Buffer.Span, address.Family);
        try
        {
            Counters.SystemCalls++;
            bound.Socket.SendTo(datagram, SocketFlags.None, address);
            Counters.DatagramsSent++;
        }
        catch (SocketException exception)
        {
            SendAgain(bound, key, datagram, exception.SocketErrorCode);
        }

        return true;
    }

    public SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path)
    {
        if (!key.Peer.IsIP || ChooseForGroup(key, path.InterfaceIndex) is not { } bound) { return SocketError.AddressFamilyNotSupported; }
        AddressBytes.Write(key.Peer, bound.Output.Buffer.Span, bound.Output.Family);
        try
        {
            path.Prepare(bound.Socket, key.Peer.IsIPv4);
            Counters.SystemCalls++;
            bound.Socket.SendTo(datagram, SocketFlags.None, bound.Output);
            Counters.DatagramsSent++;
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            Counters.SendFailures++;
            return exception.SocketErrorCode;
        }
    }

    public void Flush()
    {
        // Every datagram has left in Send already.
    }

    public void Wait(TimeSpan timeout)
    {
        if (!_failed.IsEmpty || !_signal.TrySleep()) { return; }
        _waiting.Clear();
        foreach (var bound in _sockets) { _waiting.Add(bound.Socket); }
        foreach (var group in _groups) { _waiting.Add(group.Socket); }
        _waiting.Add(_waker);
        var isForEver = timeout == Timeout.InfiniteTimeSpan;
        Counters.SystemCalls++;
        Socket.Select(_waiting, null, null, isForEver ? timeout : TimeSpan.FromTicks(Math.Max(timeout.Ticks, 0)));
        if (_waiting.Contains(_waker)) { _waker.Receive(_input); }
        _signal.Awake();
    }

    public ValueTask WaitAsync()
    {
        var isReady = !_failed.IsEmpty;
        foreach (var readiness in _readiness) { isReady |= readiness.IsReady(); }
        return isReady ? default : _signal.WaitAsync();
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        foreach (var bound in _sockets) { bound.Socket.Dispose(); }
        foreach (var group in _groups) { group.Socket.Dispose(); }
        _waker.Dispose();
    }

    private int Receive(Bound bound, IDatagramReceiver receiver)
    {
        var count = 0;
        for (; count < _batchSize; count++)
        {
            // Asking first is one call more, but a receive that finds nothing costs an exception.
            Counters.SystemCalls++;
            if (!bound.Socket.Poll(0, SelectMode.SelectRead)) { break; }
            Counters.SystemCalls++;
            if (!TryReceive(bound, out var length)) { continue; }
            Counters.DatagramsReceived++;
            var peer = AddressBytes.Read(bound.Input.Buffer.Span, bound.Socket.AddressFamily);
            receiver.OnDatagram(new ChannelKey(peer, bound.Local), _input.AsSpan(0, length));
        }

        return count;
    }

    private bool TryReceive(Bound bound, out int length)
    {
        length = 0;
        try
        {
            length = bound.Socket.ReceiveFrom(_input, SocketFlags.None, bound.Input);
            if (length < _input.Length) { return true; }
            Counters.Oversized++;
        }
        catch (SocketException exception)
        {
            // Windows says so when a datagram was cut off; anything else is about a datagram that nobody can name.
            if (exception.SocketErrorCode == SocketError.MessageSize) { Counters.Oversized++; }
        }

        return false;
    }

    private void SendAgain(Bound bound, in ChannelKey key, ReadOnlySpan<byte> datagram, SocketError error)
    {
        if (error == SocketError.WouldBlock && bound.Socket.Poll(MaxSendWait, SelectMode.SelectWrite))
        {
            try
            {
                Counters.SystemCalls += 2;
                bound.Socket.SendTo(datagram, SocketFlags.None, bound.Output);
                Counters.DatagramsSent++;
                return;
            }
            catch (SocketException exception)
            {
                error = exception.SocketErrorCode;
            }
        }

        Counters.SendFailures++;
        if (error is SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable) { return; }
        _failed.Add(new ChannelKey(key.Peer, bound.Local), datagram, error);
    }

    private Bound? Choose(in ChannelKey key)
    {
        var family = key.Peer.IsIPv4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6;
        Bound? any = null;
        var isOnly = true;
        foreach (var bound in _sockets)
        {
            if (bound.Socket.AddressFamily != family) { continue; }
            if (bound.Local == key.Local) { return bound; }
            isOnly = any is null;
            any ??= bound;
        }

        return isOnly || AddressBytes.CanBeSource(key.Local) ? any : ChooseByRoute(key.Peer) ?? any;
    }

    // The answers come to the address that the request left from: it has to be one of the interface.
    private Bound? ChooseForGroup(in ChannelKey key, int interfaceIndex)
    {
        if (interfaceIndex == 0) { return Choose(key); }
        var addresses = GroupAddress.AddressesOf(interfaceIndex);
        var family = key.Peer.IsIPv4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6;
        return Array.Find(_sockets, bound => bound.Socket.AddressFamily == family && addresses.Contains(bound.Address)) ?? Choose(key);
    }

    private ushort PortOf(AddressFamily family) =>
        (ushort)(Array.Find(_sockets, bound => bound.Socket.AddressFamily == family) ?? _sockets[0]).Local.Port;

    private Bound? ChooseByRoute(in PeerIdentity peer)
    {
        foreach (var bound in _sockets)
        {
            if (_routes.SourceFor(peer, bound.Local.Port) == bound.Local) { return bound; }
        }

        return null;
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
            // The waker's own buffer is full: the sleeper has been woken already.
        }
    }

    /// <summary>A socket, the one address it is bound to, and an address to receive into and one to send from.</summary>
    private sealed class Bound
    {
        public Bound(Socket socket)
        {
            socket.Blocking = false;
            (Socket, Local) = (socket, PeerIdentity.From((IPEndPoint)socket.LocalEndPoint!));
            (Input, Output) = (new SocketAddress(socket.AddressFamily), new SocketAddress(socket.AddressFamily));
        }

        public Socket Socket { get; }

        public PeerIdentity Local { get; }

        public IPAddress Address => ((IPEndPoint)Socket.LocalEndPoint!).Address;

        public SocketAddress Input { get; }

        public SocketAddress Output { get; }
    }
}
