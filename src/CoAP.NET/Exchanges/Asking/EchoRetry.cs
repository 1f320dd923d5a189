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
        (_requested ?? exchange.Channel!.Echo) is { } echo && CanCarry(exchange, echo) ? exchange.Options.With(echo) : exchange.Options;

    /// <summary>
    /// Stores the Echo value of the response for later requests. Returns <see langword="true"/>, at most once, if the peer rejected
    /// the request because it lacked that value.
    /// </summary>
    public bool IsNeeded(ClientExchange exchange, CoapMessage response)
    {
        if ((response.Options.Seen & EchoBit) == 0 || response.Options.Get<Echo>() is not { } echo) { return false; }
        exchange.Channel!.Remember(echo);
        if (response.Code != ResponseCode.Unauthorized || _requested is not null || !CanCarry(exchange, echo)) { return false; }
        _requested = echo;
        return true;
    }

    // A request with its own Echo option is not changed, and a value that does not fit must not prevent the request.
    private static bool CanCarry(ClientExchange exchange, Echo echo) => !exchange.Options.Contains<Echo>()
        && MaxOverhead + exchange.Options.Wire.Length + echo.Value.Length + exchange.Payload.Length
            <= (exchange.Channel!.Limits?.MaxSize ?? (int)MaxMessageSize.Default);
}
