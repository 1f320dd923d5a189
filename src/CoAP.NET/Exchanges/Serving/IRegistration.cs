namespace CoAP.Exchanges;

/// <summary>The registration of an observer, as the answers to it know it.</summary>
internal interface IRegistration
{
    /// <summary>The bytes that an unverified address must still be allowed to get after the answer, for the message that ends the observation.</summary>
    int LastMessageSize { get; }

    /// <summary>Whether the message that <see cref="Send"/> sends now is confirmable. False on connections.</summary>
    bool IsConfirmable { get; }

    /// <summary>Calls back when the confirmable message that <see cref="Send"/> has just sent is acknowledged, unless another takes its place.</summary>
    void WhenAcknowledged(Action next);

    /// <summary>Sends a response of the handlers in a separate message, such as a notification. Called on the lane.</summary>
    void Send(CoapResponse response);

    /// <summary>Cancels the registration because the client gets an error. Called on the lane.</summary>
    void Revoke();
}
