using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Adds the Echo value of the peer to a request, and decides whether the request is sent again with a new value (RFC 9175, section 2.3).</summary>
internal struct EchoRetry
{
    // An upper bound, in bytes: the header, the token, the header of the Echo option and the payload marker.
    private const int MaxOverhead = 24;

    private static readonly ulong EchoBit = OptionNumber.SeenBit(Echo.Declaration.Number);

    private Echo? _requested;

    /// <summary>Returns the options of the request with the Echo value of the peer, if there is one that fits.</summary>
    public readonly OptionSet AddTo(ClientExchange exchange) =>
        AddTo(exchange.Channel!, exchange.Key, exchange.Options, exchange.Payload.Length);

    /// <summary>Returns the options of a request with the Echo value of the peer, if there is one that fits.</summary>
    /// <param name="channel">The channel.</param>
    /// <param name="key">The peer, and the local port of the request.</param>
    /// <param name="options">The options.</param>
    /// <param name="payloadLength">The length of the payload of each message in bytes.</param>
    public readonly OptionSet AddTo(LaneChannel channel, in ChannelKey key, in OptionSet options, int payloadLength) =>
        (_requested ?? channel.EchoFor(key)) is { } echo && CanCarry(channel, options, payloadLength, echo) ? options.With(echo) : options;

    /// <summary>
    /// Stores the Echo value of the response for later requests. Returns <see langword="true"/>, at most once, if the peer rejected
    /// the request because it lacked that value.
    /// </summary>
    public bool IsNeeded(ClientExchange exchange, CoapMessage response, bool isOfStage) =>
        IsNeeded(exchange.Channel!, exchange.Key, exchange.Options, exchange.Payload.Length, response, isOfStage);

    /// <inheritdoc cref="IsNeeded(ClientExchange, CoapMessage, bool)"/>
    /// <param name="channel">The channel.</param>
    /// <param name="key">The peer, and the local port of the request.</param>
    /// <param name="options">The options of the request, without an Echo value that was added to them.</param>
    /// <param name="payloadLength">The length of the payload of each message in bytes.</param>
    /// <param name="response">The response.</param>
    /// <param name="isOfStage">Whether a stage has verified the response by itself.</param>
    public bool IsNeeded(LaneChannel channel, in ChannelKey key, in OptionSet options, int payloadLength, CoapMessage response, bool isOfStage)
    {
        if ((response.Options.Seen & EchoBit) == 0 || response.Options.Get<Echo>() is not { } echo) { return false; }
        // What came inside a protection must not be sent in clear. The request itself is protected as before.
        if (!isOfStage) { channel.Remember(key, echo); }
        if (response.Code != ResponseCode.Unauthorized || _requested is not null || !CanCarry(channel, options, payloadLength, echo)) { return false; }
        _requested = echo;
        return true;
    }

    // A request with its own Echo option is not changed, and a value that does not fit must not prevent the request.
    private static bool CanCarry(LaneChannel channel, in OptionSet options, int payloadLength, Echo echo) => !options.Contains<Echo>()
        && MaxOverhead + options.Wire.Length + echo.Value.Length + payloadLength <= (channel.Limits?.MaxSize ?? (int)MaxMessageSize.Default);
}
