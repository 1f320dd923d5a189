namespace CoAP.Exchanges;

/// <summary>Processes responses that match no exchange, such as responses to a multicast or a stateless request.</summary>
internal interface IResponseTaker
{
    /// <summary>Processes the response and returns <see langword="true"/>, or returns <see langword="false"/> if the response belongs elsewhere.</summary>
    /// <param name="item">The response.</param>
    /// <param name="isUnderstood">Whether all its critical options are understood.</param>
    bool TryTake(in ReceivedMessage item, bool isUnderstood);
}
