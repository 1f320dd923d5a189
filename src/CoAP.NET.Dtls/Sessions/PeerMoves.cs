namespace CoAP.Dtls;

/// <summary>When a peer moved to other addresses. Most peers never do.</summary>
internal sealed class PeerMoves
{
    private static readonly TimeSpan Never = TimeSpan.MinValue / 2;     // without an overflow when it is subtracted

    /// <summary>The time at which the peer last proved another address.</summary>
    public TimeSpan ProvenAt { get; set; } = Never;

    /// <summary>The time at which a new address was last stored.</summary>
    public TimeSpan SavedAt { get; set; } = Never;

    /// <summary>Whether <see cref="PathCheck"/> will look for a new address that was not proven.</summary>
    public bool IsWatched { get; set; }
}
