namespace CoAP.Mesh;

/// <summary>Finds limits of a server that contradict each other. Such a server still works in part. It starts, and logs each conflict.</summary>
internal static class SettingsConflicts
{
    /// <summary>Returns a sentence for each conflict.</summary>
    public static IEnumerable<string> Find(CoapEndpointSettings settings)
    {
        var (bodies, stream) = (settings.ServerTransfers, settings.Stream);
        // One account gets at most half of a limit. Received messages get half of MaxInFlightSize.
        var (ofBodies, ofMessages) = ((bodies.MaxTotalSize + 1) / 2, settings.MaxInFlightSize / 4);
        if (bodies.MaxTotalSize > 0 && bodies.MaxBodySize > ofBodies)
        {
            yield return $"MaxBodySize is {bodies.MaxBodySize}, but MaxTotalSize is {bodies.MaxTotalSize}. Request bodies over half of MaxTotalSize get 4.13.";
        }
        if (bodies.MaxTotalSize > 0 && bodies.StreamWindow > ofBodies)
        {
            yield return $"StreamWindow is {bodies.StreamWindow}, but MaxTotalSize is {bodies.MaxTotalSize}. The window is at most half of MaxTotalSize.";
        }
        if (stream.AbortAboveSize > 0 && stream.MaxMessageSize > stream.AbortAboveSize)
        {
            yield return $"MaxMessageSize is {stream.MaxMessageSize}, but AbortAboveSize is {stream.AbortAboveSize}. Every message that is too large aborts its connection.";
        }
        if (stream.MaxMessageSize > ofMessages)
        {
            yield return $"MaxMessageSize is {stream.MaxMessageSize}, but MaxInFlightSize is {settings.MaxInFlightSize}. Messages over a quarter of MaxInFlightSize are received one at a time.";
        }
        if (stream.MaxUnreadSize > stream.MaxUnsentSize)
        {
            yield return $"MaxUnreadSize is {stream.MaxUnreadSize}, but MaxUnsentSize is {stream.MaxUnsentSize}. Responses become errors before their peer has to wait.";
        }
        if (settings.HandlerThreads > settings.MaxHandlerQueue)
        {
            yield return $"HandlerThreads is {settings.HandlerThreads}, but MaxHandlerQueue is {settings.MaxHandlerQueue}. At most MaxHandlerQueue threads are used.";
        }
    }
}
