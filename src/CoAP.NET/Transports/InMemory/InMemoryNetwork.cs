using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP;

/// <summary>A network within the process, for tests: datagrams between named endpoints, which it may lose, repeat or delay, and connections.</summary>
/// <remarks>Safe for concurrent use. Nothing on it grows without bound: what finds a full queue is lost and counted, as on a real network.</remarks>
/// <param name="timeProvider">The clock of delayed datagrams; the system's by default.</param>
public sealed class InMemoryNetwork(TimeProvider? timeProvider = null)
{
    private static readonly IReadOnlyList<TimeSpan> Immediately = [TimeSpan.Zero];

    private readonly TimeProvider _timeProvider = timeProvider ?? TimeProvider.System;
    private readonly ConcurrentDictionary<PeerIdentity, InMemoryDatagramTransport> _endpoints = new();
    private readonly ConcurrentDictionary<PeerIdentity, Action<IStreamConnection>> _listeners = new();
    private readonly ConcurrentDictionary<ITimer, bool> _delayed = new();
    private readonly InMemoryGroups _groups = new();
    private long _lost;

    /// <summary>
    /// Decides about each datagram: one delay for each copy that shall arrive. None loses it, a single zero delivers it at once (which is what
    /// happens without this function), two entries repeat it. Called on the sender's thread.
    /// </summary>
    public Func<InMemoryDatagram, IReadOnlyList<TimeSpan>>? Deliver { get; init; }

    /// <summary>The datagrams that may wait for one endpoint. 1,024 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxQueuedDatagrams { get; init => field = Bound.AtLeast(value, 1); } = 1_024;

    /// <summary>The datagrams that may be delayed at the same time. 65,536 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxDelayedDatagrams { get; init => field = Bound.AtLeast(value, 1); } = 65_536;

    /// <summary>The bytes that may be on the way in each direction of a connection. 64 KiB by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int ConnectionCapacity { get; init => field = Bound.AtLeast(value, 1); } = 64 << 10;

    /// <summary>The datagrams that were lost because a queue was full; those that <see cref="Deliver"/> lost do not count.</summary>
    public long Lost => Volatile.Read(ref _lost);

    /// <summary>Opens an endpoint for datagrams.</summary>
    /// <param name="local">Who it is.</param>
    /// <param name="groups">The groups that it is a member of.</param>
    /// <exception cref="SocketException">The identity is in use.</exception>
    internal IDatagramTransport OpenDatagrams(in PeerIdentity local, IEnumerable<PeerIdentity>? groups = null)
    {
        var transport = new InMemoryDatagramTransport(this, local, MaxQueuedDatagrams);
        if (!_endpoints.TryAdd(local, transport)) { throw new SocketException((int)SocketError.AddressAlreadyInUse); }
        foreach (var group in groups ?? []) { _groups.Join(group, local); }
        return transport;
    }

    /// <summary>Takes connections until it is disposed of.</summary>
    /// <exception cref="SocketException">The identity is in use.</exception>
    internal IDisposable Listen(in PeerIdentity local, Action<IStreamConnection> accepted)
    {
        if (!_listeners.TryAdd(local, accepted)) { throw new SocketException((int)SocketError.AddressAlreadyInUse); }
        return new Listening(this, local);
    }

    /// <summary>Opens a connection.</summary>
    /// <exception cref="SocketException">Nobody listens there.</exception>
    internal IStreamConnection Connect(in PeerIdentity local, in PeerIdentity remote)
    {
        if (!_listeners.TryGetValue(remote, out var accepted)) { throw new SocketException((int)SocketError.ConnectionRefused); }
        var (ours, theirs) = InMemoryStream.CreatePair(local, remote, ConnectionCapacity);
        accepted(theirs);
        return ours;
    }

    internal void Close(InMemoryDatagramTransport endpoint)
    {
        if (_endpoints.TryRemove(new(endpoint.Identity, endpoint))) { _groups.Leave(endpoint.Identity); }
    }

    /// <summary>Sends on its way what an endpoint sends.</summary>
    internal void Send(InMemoryDatagramTransport sender, in PeerIdentity to, ReadOnlySpan<byte> bytes)
    {
        var datagram = new InMemoryDatagram(sender.Identity, to, bytes.ToArray());
        if (_groups.MembersOf(to) is not { } members)
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

    // On this network groups have their address for a name; one without members has nobody who would refuse.
    private static bool IsGroup(in PeerIdentity to) => IPAddress.TryParse(to.ToString(), out var address) && address.IsMulticast();

    private void Arrive(InMemoryDatagramTransport sender, in InMemoryDatagram datagram)
    {
        if (!_endpoints.TryGetValue(datagram.To, out var receiver))
        {
            // Nobody sends ICMP errors about datagrams to groups (RFC 1122, section 3.2.2).
            if (datagram.Group.IsNone && !IsGroup(datagram.To)) { sender.Refuse(datagram); }
        }
        else if (!receiver.TryTake(datagram)) { Interlocked.Increment(ref _lost); }
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

    private sealed class Listening(InMemoryNetwork network, PeerIdentity local) : IDisposable
    {
        public void Dispose() => network._listeners.TryRemove(local, out _);
    }
}
