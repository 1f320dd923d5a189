using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>Receives the responses with a token.</summary>
internal interface ITokenOwner
{
    Token Token { get; }

    /// <summary>The peer that the responses come from. A token is valid for this peer only (RFC 7252, section 5.3.2).</summary>
    ChannelKey Key { get; }

    /// <summary>The connection that the token is used on; <see langword="null"/> for datagrams, the default.</summary>
    IFrameLink? Link => null;

    /// <summary>Called with a response whose critical options are all understood.</summary>
    /// <param name="response">The response.</param>
    /// <param name="isOfStage">
    /// Whether a stage has verified the response by itself. Those who share the channel do not have its credentials.
    /// </param>
    void Complete(CoapMessage response, bool isOfStage);

    /// <summary>Called if the response cannot be used, or if no response will arrive.</summary>
    void Fail(Exception error);
}
