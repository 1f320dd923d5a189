using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A datagram endpoint on an <see cref="InMemoryNetwork"/>.</summary>
internal sealed class InMemoryDatagramTransport : IDatagramTransport
{
    private const int BatchSize = 32;

    private readonly Lock _lock = new();
    private readonly Queue<(InMemoryDatagram Datagram, PeerIdentity Local, bool IsRefusal)> _queue = new();
    private readonly Dictionary<int, InMemoryDatagramTransport> _further = [];
    private readonly SemaphoreSlim _sleep = new(0);
    private readonly InMemoryNetwork _network;
    private readonly int _capacity;
    private readonly WakeSignal _signal;

    public InMemoryDatagramTransport(InMemoryNetwork network, in PeerIdentity identity, int capacity)
    {
        (_network, Identity, _capacity) = (network, identity, capacity);
        _signal = new WakeSignal(() => _sleep.Release());
        LocalEndPoints = identity.ToIPEndPoint() is { } endPoint ? [endPoint] : [];
    }

    /// <summary>The identity of this endpoint.</summary>
    public PeerIdentity Identity { get; }

    /// <summary>The address of this endpoint. Empty if the endpoint has a name instead of an address.</summary>
    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    public TransportCounters Counters { get; } = TransportCounters.Open();

    private bool IsEmpty
    {
        get { lock (_lock) { return _queue.Count == 0; } }
    }

    public int Receive(IDatagramReceiver receiver)
    {
        var count = 0;
        for (; count < BatchSize && TryDequeue(out var item); count++)
        {
            var datagram = item.Datagram;
            if (item.IsRefusal)
            {
                Counters[TransportCounters.NetworkErrors]++;
                receiver.OnNetworkError(new ChannelKey(datagram.To, item.Local), datagram.Bytes.Span, SocketError.ConnectionRefused);
                continue;
            }

            Counters[TransportCounters.DatagramsReceived]++;
            var key = new ChannelKey(datagram.From, item.Local);
            if (datagram.Group.IsNone) { receiver.OnDatagram(key, datagram.Bytes.Span); }
            else { receiver.OnGroupDatagram(key, datagram.Bytes.Span); }
        }

        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (key.Peer.IsNone || datagram.Length > UdpSettings.MaxDatagramSize) { return false; }
        Counters[TransportCounters.DatagramsSent]++;
        _network.Send(_further.GetValueOrDefault(key.Local.Port, this), key.Peer, datagram);
        return true;
    }

    public IReadOnlyList<IPEndPoint> OpenPort()
    {
        if (Identity.ToIPEndPoint() is not { } endPoint) { return []; }
        var port = endPoint.Port + _further.Count + 1;
        while (_further.ContainsKey(port)) { port++; }
        endPoint.Port = port;
        _further.Add(port, _network.OpenDatagrams(PeerIdentity.From(endPoint), outer: this));
        return [endPoint];
    }

    public void ClosePort(IReadOnlyList<IPEndPoint> bound)
    {
        if (_further.Remove(bound[0].Port, out var transport)) { transport.Dispose(); }
    }

    public void Wait(TimeSpan timeout)
    {
        if (!IsEmpty || !_signal.TrySleep()) { return; }
        _sleep.Wait(timeout == Timeout.InfiniteTimeSpan ? timeout : TimeSpan.FromTicks(Math.Clamp(timeout.Ticks, 0, TimeSpan.TicksPerHour)));
        _signal.Awake();
    }

    public ValueTask WaitAsync() => IsEmpty ? _signal.WaitAsync() : default;

    public void Wake() => _signal.Set(inline: !_network.Runtime.HasThreads);

    public void Dispose()
    {
        foreach (var transport in _further.Values) { transport.Dispose(); }
        _network.Close(this);
        Counters.Close();
    }

    /// <summary>Called with each datagram instead of the lane; <see langword="null"/> if a lane receives them.</summary>
    public Action<InMemoryDatagram>? Receiver { get; init; }

    /// <summary>
    /// The transport that receives the datagrams of this one, which is one of its ports; <see langword="null"/> if this one does.
    /// </summary>
    public InMemoryDatagramTransport? Outer { get; init; }

    /// <summary>Queues a datagram of a peer. Returns <see langword="false"/> if the queue is full.</summary>
    /// <param name="datagram">The datagram.</param>
    /// <param name="isRefusal">Whether it is a sent datagram that found no receiver, to be reported as an ICMP error would be.</param>
    public bool TryReceive(in InMemoryDatagram datagram, bool isRefusal = false) => (Outer ?? this)
        .TryReceive(datagram, Identity, isRefusal);

    private bool TryReceive(in InMemoryDatagram datagram, in PeerIdentity local, bool isRefusal)
    {
        if (Receiver is { } receiver)
        {
            if (!isRefusal) { receiver(datagram); }
            return true;
        }
        lock (_lock)
        {
            if (_queue.Count >= _capacity)
            {
                Counters[TransportCounters.ReceiveOverflow]++;
                return false;
            }

            _queue.Enqueue((datagram, local, isRefusal));
        }

        // Without threads, a waiting lane only queues its turn.
        _signal.Set(inline: !_network.Runtime.HasThreads);
        return true;
    }

    private bool TryDequeue(out (InMemoryDatagram Datagram, PeerIdentity Local, bool IsRefusal) item)
    {
        lock (_lock) { return _queue.TryDequeue(out item); }
    }
}
