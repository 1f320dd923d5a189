using System.Collections.Concurrent;

namespace CoAP.Dtls;

/// <summary>
/// The lanes of restored sessions without connection IDs, by the address of the peer. After a restart, the system may deliver the peer's datagrams to
/// another lane.
/// </summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class RestoredPlaces
{
    private readonly ConcurrentDictionary<PeerPlace, DtlsLane> _lanes = new();
    private volatile bool _isUsed;      // most endpoints have none, and every datagram is checked

    /// <summary>Returns the lane with the restored session of an address; <see langword="null"/> if there is none.</summary>
    public DtlsLane? LaneOf(in ChannelKey address) => _isUsed ? _lanes.GetValueOrDefault(PeerPlace.Of(address)) : null;

    public void Add(in ChannelKey address, DtlsLane lane)
    {
        _lanes[PeerPlace.Of(address)] = lane;
        _isUsed = true;
    }

    public void Remove(in ChannelKey address, DtlsLane lane)
    {
        if (_isUsed) { _lanes.TryRemove(new(PeerPlace.Of(address), lane)); }
    }
}
