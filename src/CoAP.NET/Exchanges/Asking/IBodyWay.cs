namespace CoAP.Exchanges;

/// <summary>The way that the bodies of a call go where one message each is not enough. Ended once, on the lane.</summary>
internal interface IBodyWay
{
    /// <summary>The call has its outcome, or goes on without it.</summary>
    void End();
}
