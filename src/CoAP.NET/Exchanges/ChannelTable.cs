using System.Diagnostics.CodeAnalysis;

namespace CoAP.Exchanges;

/// <summary>The channels of a lane, keyed by peer and local port.</summary>
/// <remarks>The local address is not part of the key: a peer that sends to another of our addresses is still the same peer.</remarks>
internal sealed class ChannelTable
{
    private readonly Dictionary<PeerPlace, LaneChannel> _channels = [];
    private readonly Dictionary<PeerPlace, LaneChannel> _further = [];      // at other local ports that a channel uses too

    private Dictionary<PeerIdentity, int>? _nStart;

    public int Count => _channels.Count;

    public IEnumerable<LaneChannel> All => _channels.Values;

    public bool TryFind(in ChannelKey key, [NotNullWhen(true)] out LaneChannel? channel)
    {
        channel = null;
        return _channels.Count > 0 && (_channels.TryGetValue(PeerPlace.Of(key), out channel) || TryFindFurther(key, out channel));
    }

    public void Add(LaneChannel channel) => _channels.Add(PeerPlace.Of(channel.Key), channel);

    /// <summary>Adds another local port of a channel.</summary>
    public void AddFurther(in ChannelKey key, LaneChannel channel) => _further.Add(PeerPlace.Of(key), channel);

    public void RemoveFurther(in ChannelKey key) => _further.Remove(PeerPlace.Of(key));

    /// <summary>Returns the NSTART that was set for a peer at run time, or <see langword="null"/> if none was set.</summary>
    public int? NStartOf(in PeerIdentity peer) => _nStart is not null && _nStart.TryGetValue(peer, out var nStart) ? nStart : null;

    /// <summary>Sets the NSTART of a peer for its present and future channels; <see langword="null"/> restores the value of the settings.</summary>
    public void SetNStart(PeerIdentity peer, int? nStart)
    {
        _nStart ??= [];
        if (nStart is { } value) { _nStart[peer] = value; }
        else { _nStart.Remove(peer); }
        LaneChannel[] open = [.. _channels.Values.Where(channel => channel.Key.Peer == peer)];
        foreach (var channel in open) { channel.SetNStart(nStart ?? channel.Lane.Settings.Transmission.NStart); }
    }

    public void Remove(LaneChannel channel) => _channels.Remove(PeerPlace.Of(channel.Key));

    private bool TryFindFurther(in ChannelKey key, [NotNullWhen(true)] out LaneChannel? channel)
    {
        channel = null;
        return _further.Count > 0 && _further.TryGetValue(PeerPlace.Of(key), out channel);
    }
}
