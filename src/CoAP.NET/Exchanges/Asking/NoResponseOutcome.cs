namespace CoAP.Exchanges;

/// <summary>The outcome of requests that need no response (RFC 7967).</summary>
internal static class NoResponseOutcome
{
    /// <summary>A placeholder for the missing response.</summary>
    public static CoapResponse NoResponse { get; } = new(ResponseCode.Valid);

    /// <summary>Converts the outcome of the call.</summary>
    /// <param name="outcome">The response that the caller got, or <see cref="NoResponse"/>.</param>
    /// <param name="acknowledges">Whether the peer acknowledges such requests.</param>
    public static Delivery ToDelivery(CoapResponse outcome, bool acknowledges) =>
        ReferenceEquals(outcome, NoResponse) ? new Delivery(acknowledges, null) : new Delivery(true, outcome);
}
