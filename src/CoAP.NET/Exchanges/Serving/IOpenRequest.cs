namespace CoAP.Exchanges;

/// <summary>A received request that can end without its answer.</summary>
internal interface IOpenRequest
{
    /// <summary>Ends the request because the lane has ended. Nothing is sent.</summary>
    void Lose();

    /// <summary>Ends the request because its answer could not be sent, unless it has ended already.</summary>
    void Fail();
}
