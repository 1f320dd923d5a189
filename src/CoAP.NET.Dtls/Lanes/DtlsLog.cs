using Microsoft.Extensions.Logging;

namespace CoAP.Dtls;

/// <summary>The log messages of one lane. Each kind is written at most once in ten seconds, so that peers cannot fill the log.</summary>
internal sealed partial class DtlsLog(ILane lane)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private Gate _failures;
    private Gate _defects;

    private struct Gate
    {
        private TimeSpan? _last;
        private long _held;

        public bool TryPass(TimeSpan now, out long held)
        {
            held = _held;
            if (_last is { } last && now - last < Interval)
            {
                _held++;
                return false;
            }
            (_last, _held) = (now, 0);
            return true;
        }
    }

    public void HandshakeFailed(PeerIdentity peer, string reason)
    {
        if (_failures.TryPass(lane.Now, out var held)) { HandshakeFailed(lane.Logger, peer, reason, held); }
    }

    public void KeysFailed(Exception exception, PeerIdentity peer)
    {
        if (_defects.TryPass(lane.Now, out var held)) { KeysFailed(lane.Logger, exception, peer, held); }
    }

    [LoggerMessage(200, LogLevel.Information, "The DTLS handshake with {Peer} failed: {Reason}. Similar messages not logged since the last one: {Held}.")]
    private static partial void HandshakeFailed(ILogger logger, PeerIdentity peer, string reason, long held);

    [LoggerMessage(201, LogLevel.Error,
        "The key store or the source of the certificate failed during the DTLS handshake with {Peer}. Similar messages not logged since the last one: {Held}.")]
    private static partial void KeysFailed(ILogger logger, Exception exception, PeerIdentity peer, long held);
}
