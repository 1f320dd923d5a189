namespace CoAP.Exchanges;

/// <summary>The outcome of requests that want no response (RFC 7967).</summary>
internal static class Forgotten
{
    /// <summary>Stands for the response that nobody wanted.</summary>
    public static CoapResponse NoResponse { get; } = new(ResponseCode.Valid);

    /// <summary>Returns what became of the request.</summary>
    /// <param name="outcome">What the caller got.</param>
    /// <param name="acknowledges">Whether the peer acknowledges such requests.</param>
    public static Delivery ToDelivery(CoapResponse outcome, bool acknowledges)
    {
        var response = ReferenceEquals(outcome, NoResponse) ? null : outcome;
        return new Delivery(response is not null || acknowledges, response);
    }
}
