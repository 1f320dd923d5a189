namespace CoAP.Signaling;

/// <summary>The result of a signal, a finished request or a deadline. Each derived record is one action of the connection.</summary>
internal record SignalOutcome
{
    /// <summary>Nothing is to be done.</summary>
    public static SignalOutcome Nothing { get; } = new();
}

/// <summary>Send these signals in this order.</summary>
internal sealed record SendSignals(IReadOnlyList<CoapMessage> Messages) : SignalOutcome;

/// <summary>Send these signals, if any, and close the connection. Outstanding requests fail for the given reason.</summary>
internal sealed record CloseConnection(IReadOnlyList<CoapMessage> Messages, CloseReason Reason, string Explanation) : SignalOutcome;

/// <summary>The peer has announced its limits or changed them. After the first time, messages that waited for its CSM may be sent.</summary>
internal sealed record PeerLimitsChanged : SignalOutcome;

/// <summary>The peer releases the connection: send no new requests, end observations, finish the rest (RFC 8323, section 5.5).</summary>
/// <param name="AlternativeAddresses">Addresses to connect to instead; the security of this connection does not extend to them.</param>
/// <param name="HoldOff">The time to wait before connecting again, if the peer gave one.</param>
/// <param name="CloseNow">Whether nothing is outstanding. Otherwise the last request to finish returns <see cref="CloseConnection"/>.</param>
internal sealed record PeerReleased(IReadOnlyList<string> AlternativeAddresses, TimeSpan? HoldOff, bool CloseNow) : SignalOutcome;

/// <summary>The peer has aborted: close immediately and process nothing more (RFC 8323, section 5.6).</summary>
/// <param name="Diagnostic">The explanation of the peer, with the CSM option that it could not process. May be empty.</param>
internal sealed record PeerAborted(string Diagnostic) : SignalOutcome;

/// <summary>The reason why we close a connection.</summary>
internal enum CloseReason : byte
{
    /// <summary>The peer broke a rule, was too slow, or the application asked for it. An Abort is sent.</summary>
    Aborted,

    /// <summary>The peer released the connection and all outstanding requests are done.</summary>
    PeerReleased,

    /// <summary>The time for outstanding requests after a Release has passed.</summary>
    ReleaseTimedOut,

    /// <summary>The peer did not answer a Ping.</summary>
    PingUnanswered,
}
