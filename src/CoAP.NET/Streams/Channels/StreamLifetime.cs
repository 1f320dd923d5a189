using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Signaling;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>The state of a connection, the way to its end, and the reason for it.</summary>
/// <remarks>
/// <code>
/// Open ──Abort, Release, an error of the peer──► Ending ──end of the stream, failure, timeout──► Closed
///  └───end of the stream, failure─────────────────────────────────────────────────────────────────┘
/// </code>
/// Only the lane changes it. A method that returns <see langword="true"/> has changed the state, and the connection follows it. <see cref="State"/>, <see cref="IsUsable"/>, and what is known of a connection that is no longer usable may be read
/// from any thread.
/// </remarks>
internal sealed class StreamLifetime(ExchangeLane lane, IStreamConnection connection, StreamOutput output, PeerCapabilities capabilities)
{
    /// <summary>The reason when the endpoint closes the connection.</summary>
    public const string EndpointEnded = "the endpoint has ended";

    private const string ClosedAtOnce = "the peer closed it before its first message";

    // An immediate close would answer the peer's last bytes with a TCP reset. The reset may overtake our last message.
    private static readonly long LingerTime = TimeSpan.FromSeconds(1).Ticks;

    // The second probe detects a closed connection. The first one makes the peer's system report that nobody reads.
    private static readonly long ProbeInterval = TimeSpan.FromSeconds(3).Ticks;

    private volatile StreamState _state;
    private volatile bool _isRetired;
    private volatile bool _hasMessages;
    private bool _isHalfClosed;
    private long _usable;       // the start of the usable time, and its length once it has ended
    private PeerToken? _ended;

    public StreamState State => _state;

    /// <summary>Whether requests may still be sent: the connection is open, and neither side has released it.</summary>
    public bool IsUsable => _state == StreamState.Open && !_isRetired;

    /// <summary>The reason for the end; <see langword="null"/> while the connection is open.</summary>
    public string? Reason { get; private set; }

    /// <summary>Whether no request can be sent any more, because the connection or the stream of the peer has ended.</summary>
    public bool HasEnded => Reason is not null || HasPeerEnded;

    /// <summary>Whether the peer has ended its direction of the stream.</summary>
    public bool HasPeerEnded { get; private set; }

    /// <summary>Whether the peer ended the connection with an Abort.</summary>
    public bool IsAbort { get; set; }

    /// <summary>The advice of the peer's Release; <see langword="null"/> without one.</summary>
    public ReconnectAdvice? Advice { get; set; }

    /// <summary>Whether the peer has sent a message that is not a signal.</summary>
    public bool HasMessages { get => _hasMessages; set => _hasMessages = value; }

    /// <summary>The time for which the connection was usable. Set when it is no longer usable.</summary>
    public TimeSpan UsableTime => _isRetired ? TimeSpan.FromTicks(_usable) : TimeSpan.Zero;

    /// <summary>The time at which the connection stopped being usable, a timestamp of the settings' clock.</summary>
    public long RetiredAt { get; private set; }

    /// <summary>Whether output is discarded if the peer does not read it at once.</summary>
    public bool DiscardsOutput { get; private set; }

    /// <summary>The time at which an ending connection is closed, or an open one is probed.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>The reason for the end if the peer ends the stream.</summary>
    public string PeerEndReason =>
        connection.EndReason is { } reason ? $"the peer closed it with {reason}" : capabilities.AreKnown ? "the peer closed it" : ClosedAtOnce;

    /// <summary>The reason for the end after a failure of the transport.</summary>
    public string FailureReason => $"the network failed: {connection.Error?.Message ?? "the transport gave no reason"}";

    /// <summary>Canceled when the connection ends or the endpoint stops. Any thread.</summary>
    public CancellationToken Ended => (_ended ?? CreateEnded()).Token;

    /// <summary>Describes the connection. Any thread.</summary>
    public ChannelDescription Describe(SignalingMachine machine)
    {
        var now = lane.TimeOf(lane.Time.GetTimestamp());
        return new()
        {
            Peer = connection.Peer,
            Local = connection.Local,
            Scheme = connection.Scheme,
            Identity = connection.Credentials?.Identity,
            Age = TimeSpan.FromTicks(Math.Max(0, now - machine.OpenedAt)),
            SinceLastContact = TimeSpan.FromTicks(Math.Max(0, now - machine.HeardAt)),
        };
    }

    /// <summary>Starts the usable time.</summary>
    public void Begin() => _usable = lane.Now;

    /// <summary>Ends the usable time. Requests in progress continue.</summary>
    public void Retire()
    {
        if (_isRetired) { return; }
        _usable = lane.Now - _usable;
        RetiredAt = lane.Time.GetTimestamp();
        _isRetired = true;
    }

    /// <summary>Ends an open connection after its last message. The output is sent, and the peer gets time to close.</summary>
    public bool TryEnd(string reason, bool discardsOutput)
    {
        if (_state != StreamState.Open) { return false; }
        SetReason(reason);
        DiscardsOutput = discardsOutput;
        _state = StreamState.Ending;
        Deadline = lane.Now + LingerTime;
        return true;
    }

    /// <summary>Closes the connection at once.</summary>
    public bool TryClose(string reason)
    {
        if (_state == StreamState.Closed) { return false; }
        SetReason(reason);
        return TryClose();
    }

    /// <summary>Closes a blocking transport, which ends the call that waits for the peer. Any thread.</summary>
    public void CloseIfBlocking()
    {
        if (connection.IsBlocking) { connection.Dispose(); }
    }

    /// <summary>Records that the peer has ended its direction of the stream.</summary>
    public void OnPeerEnded()
    {
        HasPeerEnded = true;
        Retire();
    }

    /// <summary>Starts to probe the peer at intervals, because its end cannot be noticed in another way while its requests are in progress.</summary>
    /// <remarks>
    /// A peer that has ended its direction may wait for responses or may be gone. The end of a connection that is not read stays unnoticed too. Only a
    /// failed write shows that the peer is gone.
    /// </remarks>
    public void ProbeLater()
    {
        if (_state == StreamState.Open && Deadline == long.MaxValue) { Deadline = lane.Now + ProbeInterval; }
    }

    /// <summary>Returns <see langword="true"/> if it is time for a probe.</summary>
    /// <param name="isNeeded">Whether the end of the peer still cannot be noticed in another way. Otherwise, the probes end.</param>
    public bool MustProbe(bool isNeeded)
    {
        if (_state != StreamState.Open || lane.Now < Deadline) { return false; }
        Deadline = isNeeded ? lane.Now + ProbeInterval : long.MaxValue;
        return isNeeded;
    }

    /// <summary>Closes an ending connection when its input has ended or failed.</summary>
    /// <param name="outcome">The outcome of the last receive.</param>
    /// <param name="hasMore">Whether there is more input to discard.</param>
    public bool TryCloseAfter(StreamOutcome outcome, out bool hasMore)
    {
        HasPeerEnded |= outcome == StreamOutcome.Ended;
        hasMore = outcome is not (StreamOutcome.Ended or StreamOutcome.Failed);
        // The peer may have ended only its own direction, and may still read our output.
        var isRead = outcome == StreamOutcome.Ended && output.Unsent > 0 && !DiscardsOutput;
        return !hasMore && !isRead && TryClose();
    }

    /// <summary>Ends our direction of an ending connection when all output is sent, and closes the connection if the peer has ended its direction.</summary>
    public bool TryCloseFlushed()
    {
        if (_state != StreamState.Ending || _isHalfClosed || output.Unsent > 0) { return false; }
        _isHalfClosed = true;
        connection.EndSending();
        return HasPeerEnded && TryClose();
    }

    /// <summary>Closes an ending connection whose time is over. A peer that is still reading a long response gets more time.</summary>
    public bool TryCloseOverdue()
    {
        if (_state != StreamState.Ending || lane.Now < Deadline) { return false; }
        if (DiscardsOutput || output.Unsent == 0) { return TryClose(); }
        Deadline = lane.Now + LingerTime;
        return false;
    }

    /// <summary>Fires <see cref="Ended"/>. Called after the connection has followed the change of the state.</summary>
    public void FireEnded()
    {
        Interlocked.MemoryBarrier();    // the state is written before the token is read; CreateEnded uses the opposite order
        if (_ended is not { IsCancellationRequested: false } token) { return; }
        token.Leave();
        lane.Cancellations.Cancel(token);
    }

    /// <summary>Returns the error of a request that fails with the connection.</summary>
    public CoapTransportException ToError(string reason, bool isUnsent)
    {
        if (reason == EndpointEnded) { return lane.EndError(); }
        return new($"The connection to {connection.Peer} has ended: {reason}.{HintFor(reason)}") { IsAbort = IsAbort, IsUnsent = isUnsent };
    }

    private string HintFor(string reason) => reason == ClosedAtOnce
        // A TLS 1.3 client has no other way to learn that the server refused it.
        ? " The server may use another protocol, such as TLS, refuse the client's certificate, or have reached a limit on connections: see its log."
        : DiscardsOutput && !capabilities.AreKnown && lane.Settings.IsClient ? " The server may not speak CoAP on this port." : "";

    private bool TryClose()
    {
        if (_state == StreamState.Closed) { return false; }
        _state = StreamState.Closed;
        return true;
    }

    // Created when the first handler asks for it, so an idle connection has no token.
    private PeerToken CreateEnded()
    {
        var created = new PeerToken(lane.Stopping);
        if (Interlocked.CompareExchange(ref _ended, created, null) is { } other)
        {
            created.Leave();
            return other;
        }
        if (_state != StreamState.Open) { FireEnded(); }    // the connection may have ended before the token was visible
        return created;
    }

    // The first reason counts.
    private void SetReason(string reason)
    {
        if (Reason is not null) { return; }
        Reason = reason;
        Retire();
        Log.ConnectionEnded(lane.Logger, connection.Peer, ForeignText.Clean(reason));
    }
}
