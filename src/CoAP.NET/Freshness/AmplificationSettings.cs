namespace CoAP;

/// <summary>How much is sent in answer to a datagram whose sender's address may be forged (RFC 9175, sections 2.4, item 3, and 2.6).</summary>
/// <remarks>
/// An answer that is too large becomes a 4.01 with an Echo option, and the client repeats its request with it. Answers to requests that may
/// have changed something (all but GET and FETCH) are cut instead, in the end to their code: repeating them would change it twice. Over
/// reliable transports nothing is limited: who has set up a connection receives what is sent to its address.
/// </remarks>
public sealed record AmplificationSettings
{
    /// <summary>Whether answers to unverified addresses are limited; so by default.</summary>
    public bool IsLimited { get; init; } = true;

    /// <summary>Whether peers on the same machine, loopback addresses and names, are exempt; so by default.</summary>
    public bool ExemptsLoopback { get; init; } = true;

    /// <summary>The bytes that may always be sent in answer to a datagram, whatever its size; 136 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 32 or more than 65,507.</exception>
    public int LeastAllowance { get; init => field = Bound.Within(value, 32, 65_507); } = 136;

    /// <summary>How many times the bytes of a datagram may be sent in answer to it; 3 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,000.</exception>
    public int Factor { get; init => field = Bound.Within(value, 1, 1000); } = 3;

    /// <summary>How long an address stays verified after an Echo value or an acknowledgement has come from it; 5 minutes by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan VerifiedFor { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>The verified addresses that one lane remembers; 65,536 by default, 16 bytes each. One more takes the place of an older one, which then has to show it again.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4 or more than 16,777,216.</exception>
    public int MaxVerifiedPeers { get; init => field = Bound.Within(value, 4, 1 << 24); } = 65_536;
}
