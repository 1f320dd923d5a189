namespace CoAP.Exchanges;

/// <summary>The bodies of requests that have arrived in part over a lane.</summary>
internal interface IPartialBodies
{
    /// <summary>Drops the body that a denied block belongs to, if it is not complete. Called on the lane.</summary>
    void Drop(IncomingRequest request);
}
