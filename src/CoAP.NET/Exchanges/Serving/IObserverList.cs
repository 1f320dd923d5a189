namespace CoAP.Exchanges;

/// <summary>The clients that observe resources over a lane.</summary>
internal interface IObserverList
{
    /// <summary>Removes the observation with the client and token of a request, if there is one. Called on the lane.</summary>
    void Deregister(IncomingRequest request);
}
