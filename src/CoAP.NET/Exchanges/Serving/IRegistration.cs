namespace CoAP.Exchanges;

/// <summary>A registration that a successful answer confirms, such as an observation. It is void if the client gets an error instead.</summary>
internal interface IRegistration
{
    /// <summary>Cancels the registration because the client gets an error. Called on the lane.</summary>
    void Revoke();
}
