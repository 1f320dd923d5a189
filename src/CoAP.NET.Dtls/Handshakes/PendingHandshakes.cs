using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace CoAP.Dtls;

/// <summary>The handshakes of a lane that are in progress: by the address of the peer, by our connection ID, and in the order of their last progress.</summary>
/// <param name="flightTimeout">The time to the first retransmission of a flight.</param>
internal sealed class PendingHandshakes(TimeSpan flightTimeout)
{
    // The peer gets a flight three times within this time, and can answer the third: at 0, 1 and 3 timeouts.
    private const int TimeoutsOfSilence = 4;

    private readonly Dictionary<PeerPlace, Entry> _byAddress = [];
    private readonly Dictionary<UInt128, PendingHandshake> _byId = new(SeededComparer<UInt128>.Default);
    private readonly Dictionary<Account, LinkedList<PendingHandshake>> _byAccount = [];
    private readonly LinkedList<PendingHandshake> _byProgress = [];     // the one without progress for the longest time first

    public int Count => _byAddress.Count;

    public bool TryFind(in ChannelKey address, [NotNullWhen(true)] out PendingHandshake? pending)
    {
        pending = _byAddress.GetValueOrDefault(PeerPlace.Of(address)).Pending;
        return pending is not null;
    }

    public bool TryFindById(ReadOnlySpan<byte> id, [NotNullWhen(true)] out PendingHandshake? pending)
    {
        pending = null;
        return _byId.Count > 0 && _byId.TryGetValue(ConnectionIds.NumberOf(id), out pending);
    }

    /// <summary>Adds a handshake. There must be none with the same address.</summary>
    public void Add(PendingHandshake pending)
    {
        ref var ofAccount = ref CollectionsMarshal.GetValueRefOrAddDefault(_byAccount, pending.Account.Widest, out _);
        ofAccount ??= [];
        _byAddress.Add(PeerPlace.Of(pending.Address), new Entry(ofAccount.AddLast(pending), _byProgress.AddLast(pending)));
        if (pending.OwnId is { Length: > 0 } id) { _byId.Add(ConnectionIds.NumberOf(id.Span), pending); }
    }

    /// <summary>Called when a message of the peer has arrived.</summary>
    public void OnProgress(PendingHandshake pending)
    {
        if (!TryFindEntry(pending, out var entry)) { return; }
        MoveToEnd(entry.OfAccount);
        MoveToEnd(entry.Progress);
    }

    /// <summary>
    /// Returns the handshake that is to give its place to a new one of an account: one of the account that has made no progress for four flight timeouts or, if
    /// the account has none here and all places are taken, one of any account that has made none for as long. Otherwise, clients that fall silent would hold their places until the end of
    /// the time of a handshake. Returns <see langword="null"/> if there is none.
    /// </summary>
    /// <param name="account">The account.</param>
    /// <param name="isFull">Whether all places are taken.</param>
    /// <param name="now">The time.</param>
    public PendingHandshake? FindStalled(Account account, bool isFull, TimeSpan now) =>
        _byAccount.TryGetValue(account.Widest, out var own) ? FirstIdle(own, now - (TimeoutsOfSilence * flightTimeout))
        : isFull ? FirstIdle(_byProgress, now - (TimeoutsOfSilence * flightTimeout))
        : null;

    /// <summary>Removes a handshake. Does nothing if it was removed before, even if another one has its address now.</summary>
    public void Remove(PendingHandshake pending)
    {
        if (!TryFindEntry(pending, out var entry)) { return; }
        _byAddress.Remove(PeerPlace.Of(pending.Address));
        if (pending.OwnId is { Length: > 0 } id) { _byId.Remove(ConnectionIds.NumberOf(id.Span)); }
        _byProgress.Remove(entry.Progress);
        var ofAccount = entry.OfAccount.List!;
        ofAccount.Remove(entry.OfAccount);
        if (ofAccount.Count == 0) { _byAccount.Remove(pending.Account.Widest); }
    }

    /// <summary>Returns all handshakes, and forgets them.</summary>
    public IReadOnlyList<PendingHandshake> TakeAll()
    {
        PendingHandshake[] all = [.. _byProgress];
        _byAddress.Clear();
        _byId.Clear();
        _byAccount.Clear();
        _byProgress.Clear();
        return all;
    }

    // One that is computed would give its place back only when the computation has ended.
    private static PendingHandshake? FirstIdle(LinkedList<PendingHandshake> list, TimeSpan since)
    {
        for (var node = list.First; node?.Value.ProgressAt <= since; node = node.Next)
        {
            if (node.Value.IsIdle) { return node.Value; }
        }
        return null;
    }

    private static void MoveToEnd(LinkedListNode<PendingHandshake> node)
    {
        var list = node.List!;
        if (node.Next is null) { return; }
        list.Remove(node);
        list.AddLast(node);
    }

    private bool TryFindEntry(PendingHandshake pending, out Entry entry) =>
        _byAddress.TryGetValue(PeerPlace.Of(pending.Address), out entry) && entry.Pending == pending;

    private readonly record struct Entry(LinkedListNode<PendingHandshake> OfAccount, LinkedListNode<PendingHandshake> Progress)
    {
        public PendingHandshake? Pending => Progress?.Value;
    }
}
