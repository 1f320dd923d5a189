namespace CoAP.Exchanges;

/// <summary>Takes responses that belong to no exchange, such as those to a multicast or a stateless request.</summary>
internal interface IResponseTaker
{
    /// <summary>Takes the response, if it belongs here.</summary>
    /// <param name="item">The response.</param>
    /// <param name="isUnderstood">Whether all its critical options are understood.</param>
    bool TryTake(in ReceivedMessage item, bool isUnderstood);
}
