namespace CoAP.Resources;

/// <summary>A step that a user has added around all requests.</summary>
/// <param name="Create">Takes the next step, or the handler, and returns a delegate that calls it.</param>
/// <param name="DependsOnPeer">Whether responses may depend on the peer.</param>
internal sealed record ServerStep(Func<RequestDelegate, RequestDelegate> Create, bool DependsOnPeer);
