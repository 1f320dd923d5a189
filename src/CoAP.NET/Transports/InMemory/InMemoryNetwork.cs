using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Net;
using System.Net.Sockets;
using CoAP.Runtimes;
using CoAP.Transports;

namespace CoAP;

/// <summary>A network within the process, for tests. It carries connections, and datagrams that it may lose, repeat or delay.</summary>
/// <remarks>Safe for concurrent use. Its queues are bounded: a datagram that finds a full queue is lost and counted, as on a real network.</remarks>
/// <param name="timeProvider">The clock for delayed datagrams. Default: the system clock.</param>
public sealed class InMemoryNetwork(TimeProvider? timeProvider = null)
{
    private static readonly IReadOnlyList<TimeSpan> Immediately = [TimeSpan.Zero];

    private readonly TimeProvider _timeProvider = timeProvider ?? TimeProvider.System;
    private readonly ConcurrentDictionary<PeerIdentity, InMemoryDatagramTransport> _endpoints = new();
    private readonly ConcurrentDictionary<PeerIdentity, Action<IStreamConnection>> _listeners = new();
    private readonly ConcurrentDictionary<ITimer, bool> _delayed = new();
    private readonly ConcurrentDictionary<PeerIdentity, ImmutableArray<PeerIdentity>> _groups = new();     // with their members
    private readonly LinkedList<InMemoryConnection> _connections = [];
    private long _lost;
    private int _connected;
    private int _names;

    /// <summary>
    /// Returns one delay for each copy of a datagram that arrives: no entry loses it, a single zero delivers it at once, two entries repeat it.
    /// Called on the sender's thread. Default: <see langword="null"/>, which delivers every datagram at once.
    /// </summary>
    public Func<InMemoryDatagram, IReadOnlyList<TimeSpan>>? Deliver { get; init; }

    /// <summary>
    /// Runs the work of all endpoints on this network. Default: <see langword="null"/>, the endpoints have threads as on any other network. Set the same clock
    /// for the scheduler, the network and the endpoints.
    /// </summary>
    public NetworkScheduler? Scheduler
    {
        get;
        init
        {
            field = value;
            Runtime = EndpointRuntime.Of(value);
        }
    }

    /// <summary>Runs the work of all endpoints on this network: the scheduler if there is one, otherwise threads.</summary>
    internal EndpointRuntime Runtime { get; private init; } = EndpointRuntime.Threads;

    /// <summary>
    /// Returns the time that the bytes of a connection take from one end to the other. <see cref="Timeout.InfiniteTimeSpan"/> holds them back until a later
    /// attempt: the sender repeats them after 200 ms, 400 ms and so on, as TCP does. Default: <see langword="null"/>, they arrive at once.
    /// </summary>
    public Func<PeerIdentity, PeerIdentity, TimeSpan>? ConnectionLatency { get; init; }

    /// <summary>
    /// Called with each event of a connection. Events of one direction come in order, on the thread that causes them. The call must not block and must
    /// not use the connection. Default: <see langword="null"/>.
    /// </summary>
    public Action<InMemoryConnectionEvent>? ConnectionObserver { get; init; }

    /// <summary>The largest number of datagrams that wait for one endpoint. Default: 1,024.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxQueuedDatagrams { get; init => field = Bound.AtLeast(value, 1); } = 1_024;

    /// <summary>The largest number of delayed datagrams. Default: 65,536.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxDelayedDatagrams { get; init => field = Bound.AtLeast(value, 1); } = 65_536;

    /// <summary>The largest number of bytes in flight in each direction of a connection. Default: 64 KiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int ConnectionCapacity { get; init => field = Bound.AtLeast(value, 1); } = 64 << 10;

    /// <summary>The number of datagrams that were lost because a queue was full. Losses by <see cref="Deliver"/> do not count.</summary>
    public long LostDatagrams => Volatile.Read(ref _lost);

    /// <summary>Opens an endpoint that sends and receives any bytes, for example those of a peer with defects.</summary>
    /// <param name="name">Its name on the network.</param>
    /// <param name="received">Called with each datagram that arrives, on the sender's thread or in a timer. It must not block.</param>
    /// <exception cref="SocketException">The name is in use.</exception>
    public InMemoryEndpoint Open(string name, Action<InMemoryDatagram> received)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(received);
        return Open(PeerIdentity.From(name), [], received);
    }

    /// <summary>Opens an endpoint with any identity.</summary>
    /// <param name="local">The identity of the endpoint.</param>
    /// <param name="groups">The multicast groups that it joins.</param>
    /// <param name="received">Called with each datagram that arrives, on the sender's thread or in a timer. It must not block.</param>
    /// <exception cref="SocketException">The identity is in use.</exception>
    internal InMemoryEndpoint Open(in PeerIdentity local, IEnumerable<PeerIdentity> groups, Action<InMemoryDatagram> received)
    {
        var transport = new InMemoryDatagramTransport(this, local, MaxQueuedDatagrams) { Receiver = received };
        Add(transport, groups);
        return new InMemoryEndpoint(transport);
    }

    /// <summary>Returns a name for an endpoint that has none. The names of a network are numbered, so that they are the same in each run.</summary>
    internal string NextName() => $"endpoint-{Interlocked.Increment(ref _names)}";

    /// <summary>Opens a datagram endpoint.</summary>
    /// <param name="local">The identity of the endpoint.</param>
    /// <param name="groups">The multicast groups that it joins.</param>
    /// <param name="outer">The transport that receives its datagrams; <see langword="null"/> if it is a transport of its own.</param>
    /// <exception cref="SocketException">The identity is in use.</exception>
    internal InMemoryDatagramTransport OpenDatagrams(
        in PeerIdentity local, IEnumerable<PeerIdentity>? groups = null, InMemoryDatagramTransport? outer = null)
    {
        var transport = new InMemoryDatagramTransport(this, local, MaxQueuedDatagrams) { Outer = outer };
        Add(transport, groups ?? []);
        return transport;
    }

    private void Add(InMemoryDatagramTransport transport, IEnumerable<PeerIdentity> groups)
    {
        if (!_endpoints.TryAdd(transport.Identity, transport)) { throw new SocketException((int)SocketError.AddressAlreadyInUse); }
        foreach (var group in groups)
        {
            _groups.AddOrUpdate(group, static (_, member) => [member], static (_, members, member) => members.Add(member), transport.Identity);
        }
    }

    /// <summary>Accepts connections until the result is disposed of.</summary>
    /// <exception cref="SocketException">The identity is in use.</exception>
    internal IDisposable Listen(in PeerIdentity local, Action<IStreamConnection> accepted)
    {
        if (!_listeners.TryAdd(local, accepted)) { throw new SocketException((int)SocketError.AddressAlreadyInUse); }
        return new Listener(this, local);
    }

    /// <summary>Opens a connection.</summary>
    /// <exception cref="SocketException">No endpoint listens there.</exception>
    internal IStreamConnection Connect(in PeerIdentity local, in PeerIdentity remote)
    {
        if (!_listeners.TryGetValue(remote, out var accepted)) { throw new SocketException((int)SocketError.ConnectionRefused); }
        var watchTo = ConnectionObserver is { } observer ? WatchTo(observer, local, remote) : null;
        var (ours, theirs) = InMemoryConnection.CreatePair(
            local, remote, ConnectionCapacity, ConnectionLatency is null ? null : FlightTo(local, remote), watchTo);
        Remember(ours);
        watchTo?.Invoke(remote).Opened();
        accepted(theirs);
        return ours;
    }

    /// <summary>Breaks connections, as a reset by the network does. Both ends see an error.</summary>
    /// <param name="isBroken">Gets the identities of the end that has connected and of the other one, and returns whether the connection breaks.</param>
    public void Break(Func<PeerIdentity, PeerIdentity, bool> isBroken)
    {
        ArgumentNullException.ThrowIfNull(isBroken);
        InMemoryConnection[] open;
        lock (_connections) { open = [.. _connections.Where(connection => !connection.IsDisposed && isBroken(connection.Local, connection.Peer))]; }
        foreach (var connection in open) { connection.Abort(); }
    }

    private void Remember(InMemoryConnection connection)
    {
        var place = new LinkedListNode<InMemoryConnection>(connection);
        connection.Closed = () =>
        {
            lock (_connections) { _connections.Remove(place); }
        };
        lock (_connections) { _connections.AddLast(place); }
    }

    private Func<PeerIdentity, ConnectionWatch> WatchTo(Action<InMemoryConnectionEvent> observer, PeerIdentity local, PeerIdentity remote)
    {
        var number = Interlocked.Increment(ref _connected);
        return to => new ConnectionWatch(observer, number, to == remote ? local : remote, to);
    }

    private Func<PeerIdentity, ByteFlight> FlightTo(PeerIdentity local, PeerIdentity remote) => to =>
        new ByteFlight(_timeProvider, () => ConnectionLatency!(to == remote ? local : remote, to));

    internal void Close(InMemoryDatagramTransport endpoint)
    {
        if (!_endpoints.TryRemove(new(endpoint.Identity, endpoint))) { return; }
        foreach (var group in _groups.Keys)
        {
            _groups.AddOrUpdate(group, static (_, _) => [], static (_, members, member) => members.Remove(member), endpoint.Identity);
        }
    }

    /// <summary>Carries a datagram from an endpoint to its destination.</summary>
    internal void Send(InMemoryDatagramTransport sender, in PeerIdentity to, ReadOnlySpan<byte> bytes)
    {
        var datagram = new InMemoryDatagram(sender.Identity, to, bytes.ToArray());
        if (!_groups.TryGetValue(to, out var members))
        {
            Send(sender, datagram);
            return;
        }
        foreach (var member in members) { Send(sender, datagram with { To = member, Group = to }); }
    }

    private void Send(InMemoryDatagramTransport sender, in InMemoryDatagram datagram)
    {
        foreach (var delay in Deliver?.Invoke(datagram) ?? Immediately)
        {
            if (delay <= TimeSpan.Zero) { Arrive(sender, datagram); }
            else { Delay(sender, datagram, delay); }
        }
    }

    // The name of a group is its address. A group without members has no endpoint that could refuse the datagram.
    private static bool IsGroup(in PeerIdentity to) => IPAddress.TryParse(to.ToString(), out var address) && address.IsMulticast();

    private void Arrive(InMemoryDatagramTransport sender, in InMemoryDatagram datagram)
    {
        if (!_endpoints.TryGetValue(datagram.To, out var receiver))
        {
            // Hosts send no ICMP errors about datagrams to groups (RFC 1122, section 3.2.2).
            if (datagram.Group.IsNone && !IsGroup(datagram.To)) { sender.TryReceive(datagram, isRefusal: true); }
        }
        else if (!receiver.TryReceive(datagram)) { Interlocked.Increment(ref _lost); }
    }

    private void Delay(InMemoryDatagramTransport sender, InMemoryDatagram datagram, TimeSpan delay)
    {
        if (_delayed.Count >= MaxDelayedDatagrams)
        {
            Interlocked.Increment(ref _lost);
            return;
        }

        ITimer? timer = null;
        timer = _timeProvider.CreateTimer(_ => OnTime(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _delayed.TryAdd(timer, true);
        timer.Change(delay, Timeout.InfiniteTimeSpan);

        void OnTime()
        {
            _delayed.TryRemove(timer!, out bool _);
            timer!.Dispose();
            Arrive(sender, datagram);
        }
    }

    private sealed class Listener(InMemoryNetwork network, PeerIdentity local) : IDisposable
    {
        public void Dispose() => network._listeners.TryRemove(local, out _);
    }
}
