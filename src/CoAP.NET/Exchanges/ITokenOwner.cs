using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Receives the responses with a token.</summary>
internal interface ITokenOwner
{
    Token Token { get; }

    /// <summary>The peer that the responses come from. A token is valid for this peer only (RFC 7252, section 5.3.2).</summary>
    ChannelKey Key { get; }

    /// <summary>The connection that the token is used on; <see langword="null"/> for datagrams, the default.</summary>
    IFrameLink? Link => null;

    /// <summary>Whether a response may have critical options that this endpoint does not know. Default: <see langword="false"/>.</summary>
    bool IsRaw => false;

    /// <summary>Keeps the Echo values of responses; <see langword="null"/>, the default, if nothing does.</summary>
    EchoMemory? Echoes => null;

    /// <summary>Sends the rejected request again with this Echo value. Default: returns <see langword="false"/>, and does not.</summary>
    bool TryRepeat(Echo echo) => false;

    /// <summary>Called with a response whose critical options are all understood.</summary>
    /// <param name="response">The response.</param>
    /// <param name="from">Its sender, and the local address. In a group, each member has its own.</param>
    void Complete(CoapMessage response, in ChannelKey from);

    /// <summary>Called if the response cannot be used, or if no response will arrive.</summary>
    void Fail(Exception error);
}
