using System.Diagnostics.CodeAnalysis;

namespace CoAP.Observing;

/// <summary>
/// Representations that are visited in pieces, so that a change of many of them does not hold the lane. Meanwhile, representations may join
/// and leave: each one that is there from the begin to the end of a walk is visited.
/// </summary>
/// <param name="isOfPath">Whether the list has the representations at one path; otherwise it has all of a resource. A representation is in
/// one list of each kind.</param>
internal sealed class RepresentationList(bool isOfPath)
{
    private readonly List<ObservedRepresentation> _all = [];
    private int _left;      // those before this place have not been visited in this walk

    public int Count => _all.Count;

    /// <summary>Begins a walk, or begins again.</summary>
    public void BeginWalk() => _left = _all.Count;

    /// <summary>Returns the next representation of the walk.</summary>
    public bool TryVisit([NotNullWhen(true)] out ObservedRepresentation? representation)
    {
        representation = _left > 0 ? _all[--_left] : null;
        return representation is not null;
    }

    /// <summary>Adds a representation. The walk in progress does not visit it.</summary>
    public void Add(ObservedRepresentation representation)
    {
        PlaceOf(representation) = _all.Count;
        _all.Add(representation);
    }

    /// <summary>Removes a representation. The last one takes its place, so the walk may visit that one twice.</summary>
    public void Remove(ObservedRepresentation representation)
    {
        var (place, last) = (PlaceOf(representation), _all[^1]);
        _all[place] = last;
        PlaceOf(last) = place;
        _all.RemoveAt(_all.Count - 1);
        _left = Math.Min(_left, _all.Count);
    }

    private ref int PlaceOf(ObservedRepresentation representation) =>
        ref (isOfPath ? ref representation.PlaceAtPath : ref representation.PlaceInResource);
}
