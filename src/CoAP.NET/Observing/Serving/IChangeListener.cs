namespace CoAP.Observing;

/// <summary>A lane that has observers of a resource. Its methods are for any thread.</summary>
internal interface IChangeListener
{
    /// <summary>The resource has changed.</summary>
    /// <param name="path">Where, if only one of the paths of a template; otherwise everywhere.</param>
    void OnChanged(string? path);

    /// <summary>Nobody observes the resource any longer; who did is told by this error.</summary>
    void OnEnded(CoapCode code);
}
