using CoAP.Blockwise;
using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>What the responses with a token are for.</summary>
internal interface ITokenOwner
{
    Token Token { get; }

    /// <summary>The peer whose responses these are: tokens are bound to it (RFC 7252, section 5.3.2).</summary>
    ChannelKey Key { get; }

    /// <summary>The channel that the token is bound to.</summary>
    IFrameLink? Link { get; }

    /// <summary>A response has come, all of its critical options understood.</summary>
    void Complete(CoapMessage response);

    /// <summary>What has come cannot be used, or nothing will come.</summary>
    void Fail(Exception error);
}

/// <summary>Waits for responses to any token of a series (RFC 9177, section 5).</summary>
internal interface ITokenSeriesOwner : ITokenOwner
{
    TokenSeries Tokens { get; }
}
