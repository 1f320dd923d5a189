namespace CoAP.Resources;

/// <summary>The state that a feature, such as observing, keeps with a resource or with a map of resources.</summary>
internal abstract class ResourceFeature
{
    /// <summary>Called once, on any thread, after the resource has been removed from its map.</summary>
    public virtual void OnRemoved() { }
}
