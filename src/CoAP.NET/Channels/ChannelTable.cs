using System.Diagnostics.CodeAnalysis;

namespace CoAP.Channels;

/// <summary>The channels of a lane that have an object, keyed by peer and local port.</summary>
/// <remarks>The local address is left out: a peer that answers to another of our addresses is still the same peer.</remarks>
internal sealed class ChannelTable
{
    private readonly Dictionary<(PeerIdentity Peer, int LocalPort), LaneChannel> _channels = [];

    public int Count => _channels.Count;

    public IEnumerable<LaneChannel> All => _channels.Values;

    public bool TryFind(in ChannelKey key, [NotNullWhen(true)] out LaneChannel? channel)
    {
        channel = null;
        return _channels.Count > 0 && _channels.TryGetValue((key.Peer, key.Local.Port), out channel);
    }

    public void Add(LaneChannel channel) => _channels.Add((channel.Key.Peer, channel.Key.Local.Port), channel);

    public void Remove(LaneChannel channel) => _channels.Remove((channel.Key.Peer, channel.Key.Local.Port));
}
