using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Dtls;

/// <summary>The log messages of one lane. Each kind is written at most once every 10 s, so that peers cannot fill the log.</summary>
internal sealed partial class DtlsLog(ILane lane, TimeProvider time)
{
    private const int MostZones = 8;

    private readonly Dictionary<string, LogGate> _failures = [];
    private readonly LogGate _defects = new(time), _stores = new(time), _callbacks = new(time), _keys = new(time), _plain = new(time);

    /// <summary>Writes that a handshake has failed. Called on the lane.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="kind">The kind of the failure, one of few. Only messages of the same kind are similar.</param>
    /// <param name="reason">What has failed.</param>
    public void HandshakeFailed(PeerIdentity peer, string kind, string reason)
    {
        if (!_failures.TryGetValue(kind, out var gate)) { _failures.Add(kind, gate = new(time)); }
        if (gate.TryPass(out var held)) { HandshakeFailed(lane.Logger, peer, reason, held); }
    }

    public void KeysFailed(Exception exception, PeerIdentity peer)
    {
        if (!_defects.TryPass(out var held)) { return; }
        var (source, thrown) = exception is CallbackException { InnerException: { } inner } callback ? (callback.Callback, inner) : ("OpenSSL or the platform", exception);
        KeysFailed(lane.Logger, thrown, source, peer, held);
    }

    public void StoreFailed(Exception exception)
    {
        if (_stores.TryPass(out var held)) { StoreFailed(lane.Logger, exception, held); }
    }

    public void CallbackFailed(string callback, Exception exception, PeerIdentity peer)
    {
        if (_callbacks.TryPass(out var held)) { CallbackFailed(lane.Logger, exception, callback, peer, held); }
    }

    public void KeyRefused(PeerIdentity peer, byte[]? identity, int length)
    {
        if (_keys.TryPass(out var held)) { KeyRefused(lane.Logger, KeyIdentity.Describe(identity ?? []), length, PreSharedKey.MaxKey, peer, held); }
    }

    public void PlainDropped(in ChannelKey sender)
    {
        if (!_plain.TryPass(out var held)) { return; }
        PlainDropped(lane.Logger, sender.Peer, sender.Local.IsNone ? "" : $" {sender.Local}", held);
    }

    /// <summary>Called when sessions of an earlier run cannot be continued, because their records could not be found.</summary>
    public void SessionsDropped(int count, int length) => SessionsDropped(lane.Logger, count, length);

    /// <summary>
    /// Called when sessions of an earlier run cannot be continued, because their peers are behind interfaces that this machine does not
    /// have.
    /// </summary>
    public void SessionsLost(IReadOnlyCollection<string> zones) =>
        SessionsLost(lane.Logger, zones.Count, ForeignText.Clean(string.Join(", ", zones.Distinct().Take(MostZones))));

    [LoggerMessage(200, LogLevel.Information, "The DTLS handshake with {Peer} failed: {Reason}.{Held}")]
    private static partial void HandshakeFailed(ILogger logger, PeerIdentity peer, string reason, HeldCount held);

    [LoggerMessage(201, LogLevel.Error,
        "{Callback} threw an exception during the DTLS handshake with {Peer}. The handshake fails.{Held}")]
    private static partial void KeysFailed(ILogger logger, Exception exception, string callback, PeerIdentity peer, HeldCount held);

    [LoggerMessage(202, LogLevel.Error, "The store of DTLS sessions failed. Sessions that are not in the store do not survive a restart: their peers need new handshakes.{Held}")]
    private static partial void StoreFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage(203, LogLevel.Error,
        "{Callback} threw an exception for {Peer}.{Held}")]
    private static partial void CallbackFailed(ILogger logger, Exception exception, string callback, PeerIdentity peer, HeldCount held);

    [LoggerMessage(204, LogLevel.Warning,
        "The key store has a key of {Length} bytes for the identity '{Identity}'; 1 to {Most} are allowed. The DTLS handshake with {Peer} fails.{Held}")]
    private static partial void KeyRefused(ILogger logger, string identity, int length, int most, PeerIdentity peer, HeldCount held);

    [LoggerMessage(206, LogLevel.Information, "A plain CoAP message from {Peer} arrived at the DTLS endpoint{Place} and was dropped. Its URI needs the scheme coaps.{Held}")]
    private static partial void PlainDropped(ILogger logger, PeerIdentity peer, string place, HeldCount held);

    [LoggerMessage(205, LogLevel.Warning,
        "{Count} DTLS sessions of an earlier run were dropped: their connection IDs do not have {Length} bytes, as ConnectionIdLength of the settings asks for. Their peers need new handshakes.")]
    private static partial void SessionsDropped(ILogger logger, int count, int length);

    [LoggerMessage(207, LogLevel.Warning,
        "{Count} DTLS sessions of an earlier run were dropped: their link-local peers are behind network interfaces that this machine "
        + "does not have ({Zones}). They need new handshakes.")]
    private static partial void SessionsLost(ILogger logger, int count, string zones);
}
