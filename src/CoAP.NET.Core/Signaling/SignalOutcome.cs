namespace CoAP.Signaling;

/// <summary>What follows from a signal, a finished request or a deadline. One leaf for each thing that the connection has to do.</summary>
internal abstract record SignalOutcome
{
    /// <summary>Nothing is to be done.</summary>
    public static SignalOutcome Nothing { get; } = new NothingOutcome();

    private sealed record NothingOutcome : SignalOutcome;
}

/// <summary>Send these, in this order.</summary>
internal sealed record SendSignals(IReadOnlyList<CoapMessage> Messages) : SignalOutcome;

/// <summary>Send these, if any, and close the connection; what is outstanding fails for the reason given.</summary>
internal sealed record CloseConnection(IReadOnlyList<CoapMessage> Messages, CloseReason Reason, string Explanation) : SignalOutcome;

/// <summary>The peer announced or changed what it takes. After the first time, whatever waited for its CSM may go.</summary>
internal sealed record PeerLimitsChanged(bool IsFirst) : SignalOutcome;

/// <summary>A Ping of ours was answered.</summary>
/// <param name="Token">The token that <see cref="SignalingMachine.Ping"/> gave it.</param>
/// <param name="RoundTrip">The time from the Ping to its Pong.</param>
/// <param name="HasCustody">Whether the peer says that it processed all that came before the Ping (RFC 8323, section 5.4.1).</param>
internal sealed record PongReceived(Token Token, TimeSpan RoundTrip, bool HasCustody) : SignalOutcome;

/// <summary>The peer wants the connection to end: no new requests, end observations, finish the rest (RFC 8323, section 5.5).</summary>
/// <param name="AlternativeAddresses">Authorities to connect to instead; they inherit none of this connection's security.</param>
/// <param name="HoldOff">How long not to connect again, if the peer said so.</param>
/// <param name="Diagnostic">The peer's explanation; may be empty.</param>
/// <param name="CloseNow">Whether nothing is outstanding; otherwise the last request to finish answers <see cref="CloseConnection"/>.</param>
internal sealed record PeerReleased(IReadOnlyList<string> AlternativeAddresses, TimeSpan? HoldOff, string Diagnostic, bool CloseNow) : SignalOutcome;

/// <summary>The peer aborted: close at once, process nothing that is in flight (RFC 8323, section 5.6).</summary>
/// <param name="Diagnostic">The peer's explanation; may be empty.</param>
/// <param name="BadCsmOption">The option of our CSM that it could not process, if it was that.</param>
internal sealed record PeerAborted(string Diagnostic, int? BadCsmOption) : SignalOutcome;

/// <summary>Why we close a connection.</summary>
internal enum CloseReason : byte
{
    /// <summary>The peer broke a rule, was too slow, or the application asked for it; an Abort says so.</summary>
    Aborted,

    /// <summary>The peer released the connection and all that was outstanding is done.</summary>
    PeerReleased,

    /// <summary>After a Release, the time for what is outstanding ran out.</summary>
    ReleaseTimedOut,

    /// <summary>The peer stayed silent although a Ping asked.</summary>
    PingUnanswered,
}
