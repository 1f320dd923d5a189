namespace CoAP.Dtls;

/// <summary>A new address of a peer that the peer has not proven yet.</summary>
/// <param name="address">The address.</param>
internal sealed class PathAttempt(in ChannelKey address)
{
    private ulong _cookie;
    private TimeSpan? _challengedAt;

    public ChannelKey Address { get; } = address;

    /// <summary>The number of bytes that may still be sent to the address.</summary>
    public long Allowance { get; set; }

    /// <summary>Returns whether a challenge waits for its answer.</summary>
    public bool IsChallenged(TimeSpan now, TimeSpan timeout) => _challengedAt is { } at && now - at < timeout;

    /// <summary>Records the cookie of a challenge that was sent. An earlier one is not valid any more.</summary>
    public void Challenge(ulong cookie, TimeSpan now) => (_cookie, _challengedAt) = (cookie, now);

    /// <summary>Returns whether an answer from this address contains the cookie, in time.</summary>
    public bool IsAnswer(ulong cookie, TimeSpan now, TimeSpan timeout) => IsChallenged(now, timeout) && cookie == _cookie;
}
