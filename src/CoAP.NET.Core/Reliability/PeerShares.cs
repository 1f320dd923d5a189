using System.Numerics;
using System.Runtime.CompilerServices;

namespace CoAP.Reliability;

/// <summary>The entries that each peer has in the duplicate memory of a lane. A peer is stored while it has an entry.</summary>
/// <remarks>
/// A peer is an account: all ports of an address, or all addresses of an IPv6 site, together. Verified and forged messages of one address
/// are two peers, one in each book.
/// The memory is reserved with the first peer.
/// </remarks>
internal sealed class PeerShares(int capacity)
{
    /// <summary>The number of books: 0 for peers whose address may be forged, 1 for verified ones.</summary>
    public const int Books = 2;

    /// <summary>
    /// The number of entries that any peer may have. Under a flood of forged addresses, a peer may still have this many exchanges open.
    /// </summary>
    public const int Least = 16;

    private readonly int[] _active = new int[Books];
    private readonly ShareRanking _byEntries = new(capacity, Books, Least);
    private readonly ShareRanking _byCells = new(capacity, Books, Least);
    private int[] _buckets = new int[1];
    private Peer[] _peers = [];
    private int _free;
    private int _touched;

    /// <summary>A list for each class of entries that can be dropped.</summary>
    [InlineArray(3)]
    private struct ClassLists
    {
        private EntryList<InPeer> _first;
    }

    private struct Peer
    {
        public ulong Account;
        public int Chain;
        public int Entries;
        public int Retained;
        public int Cells;
        public int Book;
        public ClassLists Lists;
    }

    /// <summary>The number of peers with entries.</summary>
    public int Active => _active[0] + _active[1];

    /// <summary>The number of peers of a book.</summary>
    public int ActiveIn(int book) => _active[book];

    /// <summary>The book of a peer.</summary>
    public int BookOf(int peer) => _peers[peer].Book;

    public ulong AccountOf(int peer) => _peers[peer].Account;

    public int EntriesOf(int peer) => _peers[peer].Entries;

    /// <summary>The number of entries of a peer that can be dropped.</summary>
    public int RetainedOf(int peer) => _peers[peer].Retained;

    public int CellsOf(int peer) => _peers[peer].Cells;

    /// <summary>
    /// Returns a peer of a book with nearly the most retained entries, or bytes; -1 if none has more than <see cref="Least"/>.
    /// </summary>
    public int Largest(int book, bool ofBytes) => (ofBytes ? _byCells : _byEntries).Largest(book);

    /// <summary>Returns the index of a peer, or -1.</summary>
    public int Find(ulong account, int book)
    {
        var peer = Bucket(account) - 1;
        while (peer >= 0 && (_peers[peer].Account != account || _peers[peer].Book != book)) { peer = _peers[peer].Chain - 1; }
        return peer;
    }

    /// <summary>Counts another entry of a peer, and adds the peer if necessary.</summary>
    public int AddEntry(ulong account, int book)
    {
        var peer = Find(account, book);
        if (peer < 0) { peer = Add(account, book); }
        _peers[peer].Entries++;
        return peer;
    }

    /// <summary>Removes an entry of a peer from the count, and the peer with its last entry.</summary>
    public void RemoveEntry(int peer)
    {
        if (--_peers[peer].Entries > 0) { return; }
        ref var removed = ref _peers[peer];
        _active[removed.Book]--;
        ref var link = ref Bucket(removed.Account);
        while (link != peer + 1) { link = ref _peers[link - 1].Chain; }
        link = removed.Chain;
        removed = new() { Chain = _free };
        _free = peer + 1;
    }

    public void AddCells(int peer, int cells)
    {
        ref var owner = ref _peers[peer];
        _byCells.Move(peer, owner.Book, owner.Cells, owner.Cells + cells);
        owner.Cells += cells;
    }

    /// <summary>Adds to the number of entries of a peer that can be dropped.</summary>
    public void AddRetained(int peer, int count)
    {
        ref var owner = ref _peers[peer];
        _byEntries.Move(peer, owner.Book, owner.Retained, owner.Retained + count);
        owner.Retained += count;
    }

    /// <summary>Returns the list of the entries of a peer in a class.</summary>
    public ref EntryList<InPeer> ListOf(int peer, RetentionClass retention) => ref _peers[peer].Lists[(int)retention - 1];

    /// <summary>Returns the least important entry of a peer up to a class, or -1 if it has none.</summary>
    public int Droppable(int peer, RetentionClass highest)
    {
        for (var retention = RetentionClass.Safe; retention <= highest; retention++)
        {
            var oldest = ListOf(peer, retention).Oldest;
            if (oldest >= 0) { return oldest; }
        }
        return -1;
    }

    private int Add(ulong account, int book)
    {
        if (_peers.Length == 0) { (_buckets, _peers) = (new int[BitOperations.RoundUpToPowerOf2((uint)capacity)], new Peer[capacity]); }
        var peer = _free - 1;
        if (peer < 0) { peer = _touched++; }
        else { _free = _peers[peer].Chain; }
        ref var bucket = ref Bucket(account);
        _peers[peer] = new() { Account = account, Chain = bucket, Book = book };
        bucket = peer + 1;
        _active[book]++;
        return peer;
    }

    private ref int Bucket(ulong account) => ref _buckets[(account >> 32) & (ulong)(_buckets.Length - 1)];
}
