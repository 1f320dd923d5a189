namespace CoAP.Exchanges;

/// <summary>Something that an answer has brought about, and that does not hold if the client is answered something else in the end.</summary>
internal interface IRegistration
{
    /// <summary>The client gets an error instead. On the lane.</summary>
    void Revoke();
}
