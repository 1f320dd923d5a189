using Microsoft.Extensions.Logging;

namespace CoAP.Dtls;

/// <summary>The log messages of one lane. Each kind is written at most once in ten seconds, so that peers cannot fill the log.</summary>
internal sealed partial class DtlsLog(ILane lane, TimeProvider time)
{
    private readonly LogGate _failures = new(time), _defects = new(time), _stores = new(time), _callbacks = new(time);

    public void HandshakeFailed(PeerIdentity peer, string reason)
    {
        if (_failures.TryPass(out var held)) { HandshakeFailed(lane.Logger, peer, reason, held); }
    }

    public void KeysFailed(Exception exception, PeerIdentity peer)
    {
        if (_defects.TryPass(out var held)) { KeysFailed(lane.Logger, exception, peer, held); }
    }

    public void StoreFailed(Exception exception)
    {
        if (_stores.TryPass(out var held)) { StoreFailed(lane.Logger, exception, held); }
    }

    public void CallbackFailed(Exception exception, PeerIdentity peer)
    {
        if (_callbacks.TryPass(out var held)) { CallbackFailed(lane.Logger, exception, peer, held); }
    }

    /// <summary>Called when sessions of an earlier run cannot be continued, because their records could not be found.</summary>
    public void SessionsDropped(int count, int length) => SessionsDropped(lane.Logger, count, length);

    [LoggerMessage(200, LogLevel.Information, "The DTLS handshake with {Peer} failed: {Reason}. Similar messages not logged since the last one: {Held}.")]
    private static partial void HandshakeFailed(ILogger logger, PeerIdentity peer, string reason, long held);

    [LoggerMessage(201, LogLevel.Error,
        "The key store or the source of the certificate failed during the DTLS handshake with {Peer}. Similar messages not logged since the last one: {Held}.")]
    private static partial void KeysFailed(ILogger logger, Exception exception, PeerIdentity peer, long held);

    [LoggerMessage(202, LogLevel.Error, "The store of DTLS sessions failed. Similar messages not logged since the last one: {Held}.")]
    private static partial void StoreFailed(ILogger logger, Exception exception, long held);

    [LoggerMessage(203, LogLevel.Error, "A callback of the DTLS settings failed for {Peer}. Similar messages not logged since the last one: {Held}.")]
    private static partial void CallbackFailed(ILogger logger, Exception exception, PeerIdentity peer, long held);

    [LoggerMessage(205, LogLevel.Warning,
        "{Count} DTLS sessions of an earlier run were dropped: their connection IDs do not have {Length} bytes, as ConnectionIdLength of the settings asks for. Their peers need new handshakes.")]
    private static partial void SessionsDropped(ILogger logger, int count, int length);
}
