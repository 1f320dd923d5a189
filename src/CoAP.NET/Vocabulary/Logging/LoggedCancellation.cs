namespace CoAP.Vocabulary;

/// <summary>Cancels tokens that users hold.</summary>
internal static class LoggedCancellation
{
    /// <summary>Fires the token of a source. The callbacks of users run on the thread pool. Their exceptions are logged.</summary>
    public static async Task CancelLoggedAsync(this CancellationTokenSource source, EndpointLog log)
    {
        try { await source.CancelAsync().ConfigureAwait(false); }
        catch (Exception exception) // The edge to user code: a failing callback affects nothing else.
        {
            if (log.TryPass(LogEvent.CallbackFailed, null, out var held)) { Log.CallbackFailed(log.Logger, exception, held); }
        }
    }
}
