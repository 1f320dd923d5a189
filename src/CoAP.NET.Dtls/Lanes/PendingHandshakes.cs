using System.Diagnostics.CodeAnalysis;

namespace CoAP.Dtls;

/// <summary>The handshakes of a lane that are in progress: by the address of the peer, and by our connection ID.</summary>
internal sealed class PendingHandshakes
{
    private readonly Dictionary<PeerPlace, PendingHandshake> _byAddress = [];
    private readonly Dictionary<UInt128, PendingHandshake> _byId = [];

    public int Count => _byAddress.Count;

    public bool TryFind(in ChannelKey address, [NotNullWhen(true)] out PendingHandshake? pending) =>
        _byAddress.TryGetValue(PeerPlace.Of(address), out pending);

    public bool TryFindById(ReadOnlySpan<byte> id, [NotNullWhen(true)] out PendingHandshake? pending)
    {
        pending = null;
        return _byId.Count > 0 && _byId.TryGetValue(ConnectionIds.NumberOf(id), out pending);
    }

    /// <summary>Adds a handshake. There must be none with the same address.</summary>
    public void Add(PendingHandshake pending)
    {
        _byAddress.Add(PeerPlace.Of(pending.Address), pending);
        if (pending.OwnId is { Length: > 0 } id) { _byId.Add(ConnectionIds.NumberOf(id.Span), pending); }
    }

    /// <summary>Removes a handshake. Does nothing if it was removed before, even if another one has its address now.</summary>
    public void Remove(PendingHandshake pending)
    {
        var place = PeerPlace.Of(pending.Address);
        if (!_byAddress.TryGetValue(place, out var found) || found != pending) { return; }
        _byAddress.Remove(place);
        if (pending.OwnId is { Length: > 0 } id) { _byId.Remove(ConnectionIds.NumberOf(id.Span)); }
    }

    /// <summary>Returns all handshakes, and forgets them.</summary>
    public IReadOnlyList<PendingHandshake> TakeAll()
    {
        PendingHandshake[] all = [.. _byAddress.Values];
        _byAddress.Clear();
        _byId.Clear();
        return all;
    }
}
