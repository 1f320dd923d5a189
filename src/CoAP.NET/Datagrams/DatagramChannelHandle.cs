using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Datagrams;

/// <summary>The channel object of a datagram peer. The lane keeps no state for it until a request is sent.</summary>
internal sealed class DatagramChannelHandle(ExchangeLane lane, ChannelKey key) : ChannelHandle(lane, key)
{
    public override bool IsClosed => false;

    public override CancellationToken Closed =>
        Lane is DatagramLane { IsSecured: { } isSecured } secured && isSecured(Peer) ? secured.Watches.SessionOf(Key) : Lane.Stopping;

    public override MessageLimits? Limits => DatagramChannel.LimitsOf(Lane.Settings.MaxSendSize);

    public override LaneChannel Open()
    {
        if (Lane.Channels.TryFind(Key, out var channel)) { return channel; }
        // The handle may be older than the port that its request came to.
        var isClosed = Lane is DatagramLane { FurtherPorts: { } ports } && Key.Local.Port > 0 && !ports.HasPort(Key.Local.Port);
        var key = isClosed ? new ChannelKey(Peer, ((DatagramLane)Lane).LocalFor(Peer)) : Key;
        if (Lane.Channels.TryFind(key, out channel)) { return channel; }
        channel = new DatagramChannel(Lane, key);
        Lane.Channels.Add(channel);
        return channel;
    }

    public override void ThrowIfTooLarge(long size)
    {
        var limit = Lane.Settings.MaxSendSize;
        if (size > limit) { throw new ArgumentException($"The request is {size} bytes; at most {limit} bytes fit into a message (MaxSendSize)."); }
    }

    protected override bool TryGetLimits(CoapRequest request, in OptionSet options, out MessageLimits limits)
    {
        limits = DatagramChannel.LimitsOf(Lane.Settings.MaxSendSize);
        // The limit of the peer, for example that of its session, belongs to the lane.
        return Lane.PeerLimit is null;
    }
}
