using CoAP.Exchanges;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>How far a connection is on its way to the end, and why. Written on the lane; what is of use to callers is for any thread to read.</summary>
internal sealed class StreamEnd(ExchangeLane lane, IStreamConnection connection, PeerCapabilities capabilities)
{
    private const string ClosedAtOnce = "the peer closed it before its first message";

    private volatile bool _isReleased;
    private volatile bool _isClosed;
    private long _openedAt;

    /// <summary>Whether it has ended.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Whether requests of ours may still be sent: it has not ended, and nobody has released it.</summary>
    public bool IsUsable => !_isClosed && !_isReleased;

    /// <summary>Why it has ended; nothing while it has not.</summary>
    public string? Reason { get; private set; }

    /// <summary>Whether the peer sends nothing more.</summary>
    public bool HasPeerEnded { get; set; }

    /// <summary>Whether the peer ended it with an Abort.</summary>
    public bool IsAbort { get; set; }

    /// <summary>What the peer wished when it released the connection; nothing where it wished nothing.</summary>
    public Departure? Departure { get; set; }

    /// <summary>How long it was of use, once it is not usable.</summary>
    public TimeSpan Life { get; private set; }

    /// <summary>When it became of no use, a timestamp of the settings' clock.</summary>
    public long EndedAt { get; private set; }

    /// <summary>Why it ends where the peer has ended what it sends.</summary>
    public string ByPeer => connection.EndReason is { } reason ? $"the peer closed it with {reason}" : capabilities.AreKnown ? "the peer closed it" : ClosedAtOnce;

    /// <summary>Its use begins.</summary>
    public void Begin() => _openedAt = lane.Now;

    /// <summary>Nothing new may be sent on it.</summary>
    public void BeOfNoUse()
    {
        if (_isReleased) { return; }
        Life = TimeSpan.FromTicks(lane.Now - _openedAt);
        EndedAt = lane.Time.GetTimestamp();
        _isReleased = true;
    }

    /// <summary>It has ended; the first reason counts.</summary>
    public void Set(string reason)
    {
        if (Reason is not null) { return; }
        Reason = reason;
        BeOfNoUse();
        _isClosed = true;
        Log.ConnectionEnded(lane.Logger, connection.Peer, reason);
    }

    /// <summary>What those are told whose request ends with it.</summary>
    public CoapTransportException ToError(string reason, bool isUnsent)
    {
        // With TLS 1.3 a client that is refused learns it by this alone.
        var hint = reason == ClosedAtOnce ? " It may speak something else there, such as TLS, or refuse the client's certificate: its log says why." : "";
        return new($"The connection to {connection.Peer} has ended: {reason}.{hint}") { IsAbort = IsAbort, IsUnsent = isUnsent };
    }
}
