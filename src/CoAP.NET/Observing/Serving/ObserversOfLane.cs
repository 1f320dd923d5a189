using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>The observers of a resource on one lane, as far as the resource needs to know them.</summary>
internal abstract class ObserversOfLane : LaneWork
{
    /// <summary>Called when the resource has changed. May be called from any thread.</summary>
    /// <param name="path">The path that changed; <see langword="null"/> for all paths of the resource.</param>
    public abstract void OnChanged(string? path);

    /// <summary>Called when all observations end with an error. May be called from any thread.</summary>
    public abstract void OnEnded(CoapCode code);
}
