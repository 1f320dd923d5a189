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
            Write(exception, log);
        }
    }

    /// <summary>Cancels a source. Its callbacks run on the calling thread, and their exceptions are logged.</summary>
    public static void CancelLogged(this CancellationTokenSource source, EndpointLog log)
    {
        try { source.Cancel(); }
        catch (Exception exception) // As above.
        {
            Write(exception, log);
        }
    }

    private static void Write(Exception exception, EndpointLog log)
    {
        if (log.TryPass(LogEvent.CallbackFailed, null, out var held)) { Log.CallbackFailed(log.Logger, exception, held); }
    }
}
