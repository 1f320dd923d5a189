using System.Numerics;

namespace CoAP.Reliability;

/// <summary>Finds a peer of a book that has nearly the most of something, in constant time.</summary>
/// <remarks>
/// Amounts in one list differ by at most a sixteenth, so that a peer with many rarely changes its list. One with few is in none.
/// </remarks>
/// <param name="capacity">The largest number of peers.</param>
/// <param name="books">The number of books.</param>
/// <param name="least">Peers with this amount or less are not ranked.</param>
internal sealed class ShareRanking(int capacity, int books, int least)
{
    private const int Precision = 4;        // bits that count behind the first
    private const int Exact = 2 << Precision;
    private const int WordBits = 64;
    private const int Words = 7;
    private const int Ranks = Words * WordBits;     // enough for all numbers of 31 bits

    private readonly int[] _first = new int[books * Ranks];
    private readonly ulong[] _used = new ulong[books * Words];
    private Link[] _links = [];

    /// <summary>Returns a peer of the highest list of a book, or -1 if all lists are empty.</summary>
    public int Largest(int book)
    {
        for (var word = ((book + 1) * Words) - 1; word >= book * Words; word--)
        {
            if (_used[word] != 0) { return _first[(word * WordBits) + BitOperations.Log2(_used[word])] - 1; }
        }
        return -1;
    }

    /// <summary>Called when the amount of a peer has changed.</summary>
    public void Move(int peer, int book, int from, int to)
    {
        var (old, rank) = (RankOf(from), RankOf(to));
        if (old == rank) { return; }
        if (old > 0) { Remove(peer, (book * Ranks) + old); }
        if (rank > 0) { Add(peer, (book * Ranks) + rank); }
    }

    private int RankOf(int amount)
    {
        if (amount <= least) { return 0; }
        if (amount < Exact) { return amount; }
        var shift = BitOperations.Log2((uint)amount) - Precision;
        return (shift << Precision) + (amount >> shift);
    }

    private void Add(int peer, int list)
    {
        if (_links.Length == 0) { _links = new Link[capacity]; }
        ref var first = ref _first[list];
        _links[peer] = new() { Next = first };
        if (first > 0) { _links[first - 1].Previous = peer + 1; }
        first = peer + 1;
        _used[list / WordBits] |= 1UL << (list % WordBits);
    }

    private void Remove(int peer, int list)
    {
        var link = _links[peer];
        if (link.Next > 0) { _links[link.Next - 1].Previous = link.Previous; }
        if (link.Previous > 0) { _links[link.Previous - 1].Next = link.Next; }
        else { _first[list] = link.Next; }
        if (_first[list] == 0) { _used[list / WordBits] &= ~(1UL << (list % WordBits)); }
    }
}
