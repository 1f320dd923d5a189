using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>The log messages about failures of lanes.</summary>
internal static class LaneLog
{
    /// <param name="log">The log.</param>
    /// <param name="exception">The failure.</param>
    /// <param name="source">The kind of work, or the resource that the work is for. Messages with the same source are similar.</param>
    public static void LaneWorkFailed(this EndpointLog log, Exception exception, object source)
    {
        if (log.TryPass(LogEvent.LaneWorkFailed, source, out var held)) { Log.LaneWorkFailed(log.Logger, exception, held); }
    }

    public static void StageFailed(this EndpointLog log, Exception exception, PeerIdentity peer)
    {
        if (log.TryPass(LogEvent.StageFailed, null, out var held)) { Log.StageFailed(log.Logger, exception, peer, held); }
    }
}
