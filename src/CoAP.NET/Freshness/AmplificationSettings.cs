using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>Limits what is sent in answer to a datagram whose source address may be forged (RFC 9175, sections 2.4, item 3, and 2.6).</summary>
/// <remarks>
/// A 4.01 with an Echo option replaces a response that is too large, and the client repeats its request with that option. Requests that may
/// have changed state (all but GET and FETCH) must not be repeated, so their responses are shortened instead, down to the code if necessary.
/// Reliable transports have no limit, because a connection proves the peer's address.
/// </remarks>
[Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
public sealed record AmplificationSettings
{
    /// <summary>Whether responses to unverified addresses are limited. Default: <see langword="true"/>.</summary>
    public bool IsLimited { get; init; } = true;

    /// <summary>Whether peers on the same machine (loopback addresses and in-memory networks) are exempt. Default: <see langword="true"/>.</summary>
    public bool ExemptsLoopback { get; init; } = true;

    /// <summary>The bytes that may always be sent in answer to a datagram, whatever its size. Default: 136.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 32 or more than 65,507.</exception>
    public int MinAllowance { get; init => field = Bound.Within(value, 32, 65_507); } = 136;

    /// <summary>The greatest ratio of the bytes sent in answer to a datagram to the bytes of that datagram. Default: 3.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,000.</exception>
    public int Factor { get; init => field = Bound.Within(value, 1, 1000); } = 3;

    /// <summary>How long an address stays verified after it has returned an Echo value, or a token that this endpoint has chosen. Default: 5 minutes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan VerificationLifetime { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The number of verified addresses that one lane remembers, at 16 bytes each. Default: 65,536. If there is no room, a further address replaces one of
    /// the same account, or else an older one, which has to be verified again.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4 or more than 16,777,216.</exception>
    public int MaxVerifiedPeers { get; init => field = Bound.Within(value, 4, 1 << 24); } = 65_536;
}
