using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>The message IDs of a channel: those of its local port and, when these are used up, of further local ports (RFC 7252, section 4.4).</summary>
/// <remarks>
/// A port has IDs for 64,512 messages to a peer in EXCHANGE_LIFETIME. The last of them are for the exchanges that stay at the port: the blocks of
/// a body, and the registrations of an observation. New exchanges move on before.
/// </remarks>
internal sealed class ChannelPorts
{
    // Enough for a body of 1 MiB in blocks of 1,024 bytes.
    private const int Reserve = 1024;

    private static readonly long SweepEvery = TimeSpan.FromSeconds(5).Ticks;

    private readonly LaneChannel _channel;
    private readonly Place _own;
    private List<Place>? _further;
    private Place? _current;        // the further port that the last exchange moved to
    private long _nextSweep;
    private bool _isSweeping;

    public ChannelPorts(LaneChannel channel)
    {
        _channel = channel;
        _own = Open(channel.Key, port: null);
    }

    // A local port in its use for one peer.
    private sealed record Place(ChannelKey Key, FurtherPort? Port, MessageIdSource Ids)
    {
        /// <summary>The number of calls and observations that stay at the port.</summary>
        public int Stays { get; set; }

        /// <summary>The time at which the last one has left it.</summary>
        public long LeftAt { get; set; } = long.MinValue;
    }

    /// <summary>Whether exchanges are unsettled, or calls or observations stay at further ports.</summary>
    public bool IsBusy => _own.Ids.Unsettled > 0 || _further?.Exists(static place => place.Ids.Unsettled + place.Stays > 0) == true;

    /// <summary>The number of further ports.</summary>
    public int Further => _further?.Count ?? 0;

    private ExchangeLane Lane => _channel.Lane;

    /// <summary>Takes a message ID for a request. A new exchange moves to another port if those of its own are used up.</summary>
    /// <inheritdoc cref="MessageIdSource.TryNext" path="/param[@name='strict']|/param[@name='id']|/param[@name='retryAt']"/>
    public MessageIdOutcome TryNext(ClientExchange exchange, bool strict, out MessageId id, out long retryAt)
    {
        var place = (exchange.StaysAtPort ? Find(exchange.Key) : null) ?? FindWithIds(exchange.Key, strict);
        if (place.Key.Local.Port != exchange.Key.Local.Port) { exchange.MoveTo(place.Key.Local); }
        return place.Ids.TryNext(Lane.Now, strict, out id, out retryAt);
    }

    /// <summary>Takes a message ID for a message that is not a request, even if it is in quarantine.</summary>
    public bool TryNext(in ChannelKey key, out MessageId id) =>
        (Find(key) ?? _own).Ids.TryNext(Lane.Now, strict: false, out id, out _) != MessageIdOutcome.Exhausted;

    public void Settle(in ChannelKey key, MessageId id) => Find(key)?.Ids.Settle(id);

    /// <summary>Returns the key of a port with enough message IDs for what begins now; that of an open port without them if there is none.</summary>
    public ChannelKey PlaceFor(in ChannelKey key) => FindWithIds(key, strict: !Lane.Settings.AllowsMessageIdReuse).Key;

    public void Stay(in ChannelKey key)
    {
        if (Find(key) is { } place) { place.Stays++; }
    }

    public void Leave(in ChannelKey key)
    {
        if (Find(key) is not { } place) { return; }
        place.Stays--;
        place.LeftAt = Lane.Now;        // until the peer has forgotten what stayed there, it may send messages that must be rejected
    }

    /// <summary>Looks for ports to give back, now and then. They are given back in a turn of its own, because the caller may go on at one of them.</summary>
    public void SweepLater()
    {
        if (_further is null || _isSweeping || Lane.Now < _nextSweep) { return; }
        (_isSweeping, _nextSweep) = (true, Lane.Now + SweepEvery);
        Lane.Post(new LaneAction(() =>
        {
            _isSweeping = false;
            Sweep();
        }));
    }

    /// <summary>Gives back the ports that have rested for EXCHANGE_LIFETIME.</summary>
    public void Sweep()
    {
        for (var i = Further - 1; i >= 0; i--)
        {
            var place = _further![i];
            if (!IsRested(place)) { continue; }
            _further.RemoveAt(i);
            Close(place);
        }
    }

    /// <summary>Gives back all ports. Later messages to the peer continue the sequences of message IDs.</summary>
    public void Close()
    {
        Lane.MessageIds.Put(Lane.HashOf(_own.Key), _own.Ids.Next);
        foreach (var place in _further ?? []) { Close(place); }
        _further = null;
    }

    private bool IsRested(Place place) =>
        place.Stays == 0 && place.Ids.IsRested(Lane.Now)
        && (place.LeftAt == long.MinValue || Lane.Now - place.LeftAt >= Lane.Settings.Transmission.ExchangeLifetime.Ticks);

    // Returns null for a port that has been given back.
    private Place? Find(in ChannelKey key)
    {
        if (key.Local.Port == _own.Key.Local.Port) { return _own; }
        foreach (var place in _further ?? [])
        {
            if (place.Key.Local.Port == key.Local.Port) { return place; }
        }
        return null;
    }

    // A request that must not reuse message IDs leaves a port whose own are used up, unless there is no other.
    private Place FindWithIds(in ChannelKey key, bool strict)
    {
        var place = Find(key) ?? _own;
        return !strict || place.Ids.HasFresh(Lane.Now, Reserve) ? place : FindFresh() ?? place;
    }

    private Place? FindFresh()
    {
        var now = Lane.Now;
        if (_own.Ids.HasFresh(now, Reserve)) { return _own; }
        if (_current is { } current && current.Ids.HasFresh(now, Reserve)) { return current; }
        return _current = _further?.Find(place => place.Ids.HasFresh(now, Reserve)) ?? TryUseFurther();
    }

    private Place? TryUseFurther()
    {
        if (Lane is not DatagramLane { FurtherPorts: { } ports } || _own.Key.Local.IsNone) { return null; }
        foreach (var port in ports.Open)
        {
            if (TryUse(port) is { } place) { return place; }
        }
        if (ports.TryOpen() is not { } opened) { return null; }
        var used = TryUse(opened);
        ports.Release(opened);
        return used;
    }

    // Returns null if the port cannot reach the peer, or this channel or another one of the peer has it.
    private Place? TryUse(FurtherPort port)
    {
        var key = new ChannelKey(_channel.Key.Peer, port.LocalFor(_channel.Key.Peer));
        if (key.Local.IsNone || Lane.Channels.TryFind(key, out _)) { return null; }
        var place = Open(key, port);
        port.Users++;
        Lane.Channels.AddFurther(key, _channel);
        (_further ??= []).Add(place);
        return place;
    }

    private void Close(Place place)
    {
        if (_current == place) { _current = null; }
        Lane.Channels.RemoveFurther(place.Key);
        Lane.MessageIds.Put(Lane.HashOf(place.Key), place.Ids.Next);
        if (Lane is not DatagramLane lane) { return; }
        lane.EndSession?.Invoke(place.Key);
        place.Port!.Users--;
        lane.FurtherPorts.Release(place.Port);
    }

    private Place Open(in ChannelKey key, FurtherPort? port)
    {
        var hash = Lane.HashOf(key);
        var start = Lane.MessageIds.TryTake(hash, out var next) ? next : Lane.MessageIds.Next(hash);
        return new Place(key, port, MessageIdSource.ForUnicast(Lane.Now, Lane.Settings.Transmission.ExchangeLifetime.Ticks, start.Value));
    }
}
