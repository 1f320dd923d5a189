namespace CoAP.Vocabulary;

/// <summary>Cancels tokens that users hold.</summary>
internal static class LoggedCancellation
{
    /// <summary>Cancels a source. Its callbacks run on the thread pool, and their exceptions are logged.</summary>
    public static async Task CancelLoggedAsync(this CancellationTokenSource source, EndpointLog log)
    {
        try { await source.CancelAsync().ConfigureAwait(false); }
        catch (Exception exception) // The edge to user code: a failing callback affects nothing else.
        {
            if (log.TryPass(LogEvent.CallbackFailed, null, out var held)) { Log.CallbackFailed(log.Logger, exception, held); }
        }
    }
}
