using System.Diagnostics.CodeAnalysis;

namespace CoAP.Observing;

/// <summary>Where an item remembers its place in a list.</summary>
internal delegate ref int PlaceOf<in T>(T item);

/// <summary>
/// Items that are visited in pieces, so that a walk over many of them does not hold the lane. Meanwhile, items may join and leave: each one
/// that is there from the begin to the end of a walk is visited.
/// </summary>
/// <param name="placeOf">Where an item remembers its place. An item in several lists has a place for each.</param>
internal sealed class WalkedList<T>(PlaceOf<T> placeOf)
    where T : class
{
    private readonly List<T> _all = [];
    private int _next;      // those before this place have been visited in this walk

    public int Count => _all.Count;

    /// <summary>Begins a walk, or begins again.</summary>
    public void BeginWalk() => _next = 0;

    /// <summary>Returns the next item of the walk.</summary>
    public bool TryVisit([NotNullWhen(true)] out T? item)
    {
        item = _next < _all.Count ? _all[_next++] : null;
        return item is not null;
    }

    public void Add(T item)
    {
        placeOf(item) = _all.Count;
        _all.Add(item);
    }

    /// <summary>Removes an item. The last one takes its place, but none gets from the unvisited ones to the visited ones.</summary>
    public void Remove(T item)
    {
        var place = placeOf(item);
        if (place < _next)
        {
            _next--;
            Move(_next, place);
            place = _next;
        }
        Move(_all.Count - 1, place);
        _all.RemoveAt(_all.Count - 1);
    }

    private void Move(int from, int to)
    {
        if (from == to) { return; }
        _all[to] = _all[from];
        placeOf(_all[to]) = to;
    }
}
