namespace CoAP.Exchanges;

/// <summary>A request that waits for its answer outside of the mesh.</summary>
internal interface IOpenRequest
{
    /// <summary>Ends the request because the lane has ended.</summary>
    void Lose();
}
