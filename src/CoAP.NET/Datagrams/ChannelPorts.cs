using CoAP.Exchanges;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>
/// The message IDs of a channel: those of its local port and, when these are used up, of further local ports (RFC 7252, section 4.4).
/// </summary>
/// <remarks>
/// A port has IDs for 64,512 messages to a peer in EXCHANGE_LIFETIME. The last of them are for the exchanges that stay at the port: the
/// blocks of a body, and the registrations of an observation. New exchanges move on before.
/// </remarks>
internal sealed class ChannelPorts
{
    // Enough for a body of 1 MiB in blocks of 1,024 bytes.
    private const int Reserve = 1024;

    private static readonly long SweepEvery = TimeSpan.FromSeconds(5).Ticks;

    private readonly LaneChannel _channel;
    private readonly Place _own;
    private List<Place>? _further;
    private long _nextSweep;

    public ChannelPorts(LaneChannel channel)
    {
        _channel = channel;
        _own = Open(channel.Key, port: null);
    }

    // A local port in its use for one peer.
    private sealed record Place(ChannelKey Key, FurtherPort? Port, MessageIdSource Ids)
    {
        /// <summary>The number of observations that are registered at the port.</summary>
        public int Registrations { get; set; }
    }

    /// <summary>The number of unsettled exchanges, and of observations at further ports.</summary>
    public bool IsBusy => _own.Ids.Unsettled > 0 || _further?.Any(static place => place.Ids.Unsettled + place.Registrations > 0) == true;

    /// <summary>The number of further ports.</summary>
    public int Further => _further?.Count ?? 0;

    private ExchangeLane Lane => _channel.Lane;

    private FurtherPorts? OfLane => (Lane as DatagramLane)?.FurtherPorts;

    /// <summary>Takes a message ID for a request. A new exchange moves to another port if those of its own are used up.</summary>
    /// <inheritdoc cref="MessageIdSource.TryNext" path="/param[@name='strict']|/param[@name='id']|/param[@name='retryAt']"/>
    public MessageIdOutcome TryNext(ClientExchange exchange, bool strict, out MessageId id, out long retryAt)
    {
        var place = At(exchange.Key);
        if (strict && !exchange.StaysAtPort && !place.Ids.HasFresh(Lane.Now, Reserve) && FindFresh() is { } fresh)
        {
            place = fresh;
            exchange.MoveTo(place.Key.Local);
        }
        return place.Ids.TryNext(Lane.Now, strict, out id, out retryAt);
    }

    /// <summary>Takes a message ID for a message that is not a request, even if it is in quarantine.</summary>
    public bool TryNext(in ChannelKey key, out MessageId id) =>
        At(key).Ids.TryNext(Lane.Now, strict: false, out id, out _) != MessageIdOutcome.Exhausted;

    public void Settle(in ChannelKey key, MessageId id) => At(key).Ids.Settle(id);

    /// <summary>Returns the key of a port with enough message IDs for what begins now; the given one if there is none.</summary>
    public ChannelKey PlaceFor(in ChannelKey key)
    {
        if (Lane.Settings.AllowsMessageIdReuse || At(key).Ids.HasFresh(Lane.Now, Reserve)) { return key; }
        return FindFresh()?.Key ?? key;
    }

    public void Stay(in ChannelKey key) => At(key).Registrations++;

    public void Leave(in ChannelKey key) => At(key).Registrations--;

    /// <summary>Gives back the ports that have rested for EXCHANGE_LIFETIME.</summary>
    public void Sweep()
    {
        if (_further is null || Lane.Now < _nextSweep) { return; }
        _nextSweep = Lane.Now + SweepEvery;
        for (var i = _further.Count - 1; i >= 0; i--)
        {
            var place = _further[i];
            if (place.Registrations > 0 || !place.Ids.IsRested(Lane.Now)) { continue; }
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

    private Place At(in ChannelKey key)
    {
        if (_further is null || key.Local.Port == _own.Key.Local.Port) { return _own; }
        foreach (var place in _further)
        {
            if (place.Key.Local.Port == key.Local.Port) { return place; }
        }
        return _own;
    }

    private Place? FindFresh()
    {
        if (OfLane is not { } ports) { return null; }
        var now = Lane.Now;
        if (_own.Ids.HasFresh(now, Reserve)) { return _own; }
        foreach (var place in _further ?? [])
        {
            if (place.Ids.HasFresh(now, Reserve)) { return place; }
        }
        foreach (var port in ports.OpenOrOpened())
        {
            var key = new ChannelKey(_channel.Key.Peer, port.LocalFor(_channel.Key.Peer));
            if (key.Local.IsNone || Lane.Channels.TryFind(key, out _)) { continue; }     // this channel or another one uses it
            var place = Open(key, port);
            FurtherPorts.Take(port);
            Lane.Channels.AddFurther(key, _channel);
            (_further ??= []).Add(place);
            return place;
        }
        return null;
    }

    private void Close(Place place)
    {
        Lane.Channels.RemoveFurther(place.Key);
        Lane.MessageIds.Put(Lane.HashOf(place.Key), place.Ids.Next);
        if (Lane is not DatagramLane lane) { return; }
        lane.Sessions?.End(place.Key);
        lane.FurtherPorts.Release(place.Port!);
    }

    private Place Open(in ChannelKey key, FurtherPort? port)
    {
        var hash = Lane.HashOf(key);
        var start = Lane.MessageIds.TryTake(hash, out var next) ? next : Lane.MessageIds.Next(hash);
        return new Place(key, port, MessageIdSource.ForUnicast(Lane.Now, Lane.Settings.Transmission.ExchangeLifetime.Ticks, start.Value));
    }
}
