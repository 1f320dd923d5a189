using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace CoAP.Observing;

/// <summary>The observers of a representation, in an order in which an account with many observers does not delay the others.</summary>
/// <remarks>
/// The rank of an observer is the number of observers that its account had before it. Those with rank 0 are the first group, ranks 1 and 2 the second,
/// 3 to 6 the third, and so on. Every second observer in the order is of the first group. The other groups have equal shares of the rest.
/// </remarks>
internal sealed class RankedObservers
{
    // Up to this number, all observers are notified in one visit. Most representations have fewer.
    private const int FewestToRank = 16;

    private readonly List<RankGroup> _groups = [new()];
    private Dictionary<Account, int>? _counts;      // the number of observers of each account; null while there are few observers
    private bool _isFirstsTurn;
    private int _lastGroup;

    public int Count { get; private set; }

    /// <summary>The number of observers in the first group, which have the lowest indices.</summary>
    public int FirstCount => _groups[0].Count;

    /// <summary>Whether observers have not been visited since the last call of <see cref="VisitAll"/>.</summary>
    public bool HasUnvisited => _groups.Exists(static group => group.Unvisited > 0);

    /// <summary>The observer at an index. Indices change when observers come or leave.</summary>
    public RankedObserver this[int index]
    {
        get
        {
            var group = 0;
            while (index >= _groups[group].Count) { index -= _groups[group++].Count; }
            return _groups[group][index];
        }
    }

    public void Add(RankedObserver observation)
    {
        Count++;
        if (_counts is null && Count > FewestToRank) { RankAll(); }
        Place(observation);
    }

    public void Remove(RankedObserver observation)
    {
        Count--;
        _groups[observation.Group].Remove(observation);
        if (_counts is null) { return; }
        ref var count = ref CollectionsMarshal.GetValueRefOrNullRef(_counts, observation.Account);
        if (--count == 0) { _counts.Remove(observation.Account); }
    }

    /// <summary>Begins a visit of all observers. Each group continues after the observer that was visited last, so that none is left out for ever.</summary>
    public void VisitAll() => _groups.ForEach(static group => group.VisitAll());

    /// <summary>Returns the observer to visit next, if there is one.</summary>
    public bool TryVisit([NotNullWhen(true)] out RankedObserver? observation)
    {
        _isFirstsTurn = !_isFirstsTurn;
        if (_isFirstsTurn && _groups[0].TryVisit(out observation)) { return true; }
        for (var tried = 0; tried < _groups.Count; tried++)
        {
            _lastGroup = (_lastGroup + 1) % _groups.Count;
            if (_groups[_lastGroup].TryVisit(out observation)) { return true; }
        }
        observation = null;
        return false;
    }

    private void RankAll()
    {
        _counts = [];
        var (first, hasUnvisited) = (_groups[0], HasUnvisited);
        _groups[0] = new();
        for (var i = 0; i < first.Count; i++) { Place(first[i]); }
        if (hasUnvisited) { VisitAll(); }
    }

    private void Place(RankedObserver observation)
    {
        var rank = _counts is null ? 0 : CollectionsMarshal.GetValueRefOrAddDefault(_counts, observation.Account, out _)++;
        observation.Group = (byte)int.Log2(rank + 1);
        while (_groups.Count <= observation.Group) { _groups.Add(new()); }
        _groups[observation.Group].Add(observation);
    }

    /// <summary>Observers with similar ranks. They are visited in turn.</summary>
    private sealed class RankGroup
    {
        private readonly List<RankedObserver> _observers = [];
        private int _cursor;

        public int Count => _observers.Count;

        public int Unvisited { get; private set; }

        public RankedObserver this[int index] => _observers[index];

        public void Add(RankedObserver observation)
        {
            observation.Index = _observers.Count;
            _observers.Add(observation);
            // The cursor passes the new place before it comes to those that it has not visited.
            if (Unvisited > 0) { Unvisited++; }
        }

        public void Remove(RankedObserver observation)
        {
            var (index, last) = (observation.Index, _observers.Count - 1);
            if (_cursor > last) { _cursor = 0; }
            var (isWaiting, isLastWaiting) = (IsUnvisited(index), IsUnvisited(last));
            if (isWaiting && isLastWaiting) { Unvisited--; }
            if (isLastWaiting && !isWaiting)
            {
                // The last observer must stay before the cursor, so it takes the place of the one that was visited last.
                Move(_cursor - 1, index);
                index = --_cursor;
            }
            Move(last, index);
            _observers.RemoveAt(last);
        }

        public void VisitAll() => Unvisited = _observers.Count;

        public bool TryVisit([NotNullWhen(true)] out RankedObserver? observation)
        {
            observation = null;
            if (Unvisited == 0) { return false; }
            if (_cursor >= _observers.Count) { _cursor = 0; }
            observation = _observers[_cursor++];
            Unvisited--;
            return true;
        }

        private bool IsUnvisited(int index) => (index < _cursor ? index + _observers.Count : index) - _cursor < Unvisited;

        private void Move(int from, int to)
        {
            _observers[to] = _observers[from];
            _observers[to].Index = to;
        }
    }
}
