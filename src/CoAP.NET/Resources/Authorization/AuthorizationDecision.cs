using CoAP.Options;

namespace CoAP;

/// <summary>Whether a request is allowed, and for how long the decision holds. The default value denies the request.</summary>
public readonly record struct AuthorizationDecision
{
    // The options that the library adds to responses.
    private static readonly ulong Reserved = BlockOption.Bits | OptionNumber.SeenBit(Observe.Declaration.Number);

    private AuthorizationDecision(bool isAllowed, TimeSpan lifetime, CoapResponse? refusal) => (IsAllowed, Lifetime, Refusal) = (isAllowed, lifetime, refusal);

    /// <summary>Whether the request is allowed.</summary>
    public bool IsAllowed { get; }

    /// <summary>How long the decision holds for later blocks of the same transfer and for later notifications of the same observation.</summary>
    public TimeSpan Lifetime { get; }

    /// <summary>The response to a denied request; <see langword="null"/> for the default response.</summary>
    public CoapResponse? Refusal { get; }

    /// <summary>Allows the request.</summary>
    /// <param name="lifetime">
    /// How long the decision holds for later blocks and notifications. Default: zero, so the authorizer is called for each of them. A decision about
    /// blocks holds for at most EXCHANGE_LIFETIME (RFC 7252, section 4.8.2), 247 s by default. With <see cref="TimeSpan.MaxValue"/>, it does not expire.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="lifetime"/> is negative.</exception>
    public static AuthorizationDecision Allow(TimeSpan lifetime = default) => lifetime >= TimeSpan.Zero
        ? new(true, lifetime, null)
        : throw new ArgumentOutOfRangeException(
            nameof(lifetime), $"The lifetime is {lifetime}; it must not be negative. Use TimeSpan.MaxValue for a decision that does not expire.");

    /// <summary>Denies the request. The handler is not called, no body is received, and an observation ends.</summary>
    /// <param name="response">
    /// The response, with an error code and a payload that fits into one message. Default: 4.03 (Forbidden) if the peer has credentials, and 4.01 (Unauthorized) if it
    /// has none (RFC 7252, sections 5.9.2.2 and 5.9.2.4), with a Max-Age of 0, so that caches do not keep it.
    /// </param>
    /// <exception cref="ArgumentException">
    /// The response is not an error, reads its payload from a stream, or has an Observe or block option.
    /// </exception>
    public static AuthorizationDecision Deny(CoapResponse? response = null)
    {
        if (response is not null && FindFault(response) is { } fault) { throw new ArgumentException(fault, nameof(response)); }
        return new(false, TimeSpan.Zero, response);
    }

    /// <summary>Returns why a denied request cannot get a response; <see langword="null"/> if it can.</summary>
    internal static string? FindFault(CoapResponse response) => response switch
    {
        { Code: { IsClientError: false, IsServerError: false } code } => $"Code {code} is not an error code; the code of a denial must have class 4 or 5.",
        { Source: not null } => "The response of a denial must not read its payload from a stream.",
        _ when (response.Options.Seen & Reserved) != 0 => "The response of a denial must not have an Observe option or a block option.",
        _ => null,
    };

    /// <summary>Returns the decision of two authorizers, of which this one allows the request. If both do, it holds for the shorter time.</summary>
    internal AuthorizationDecision And(in AuthorizationDecision other) => other.IsAllowed && Lifetime <= other.Lifetime ? this : other;
}
