namespace CoAP.Observing;

/// <summary>
/// Writes a file after changes. While little time goes into writing, each change is written before the call returns. If peers make the
/// changes follow each other quickly, further ones wait: writing takes at most a small part of the time.
/// </summary>
/// <remarks>Safe for concurrent use. Calls block while the file is written.</remarks>
/// <param name="write">Writes all changes since the last call.</param>
/// <param name="rest">The rest that each call of <paramref name="write"/> costs.</param>
internal sealed class RestingWriter(Action write, JournalRest rest)
{
    // So much rest can be owed before a change has to wait.
    private static readonly TimeSpan Credit = TimeSpan.FromSeconds(10);

    private static readonly Task Never = new TaskCompletionSource().Task;

    private readonly Lock _gate = new();
    private TimeSpan _restsUntil;
    private bool _isWaiting;

    private TimeSpan Now => rest.Time.GetElapsedTime(0);

    /// <summary>Writes a change, now or later. A change that is written later stays unwritten if that fails, until the next call.</summary>
    public void OnChanged()
    {
        TimeSpan wait;
        lock (_gate)
        {
            if (_isWaiting) { return; }
            wait = _restsUntil - Credit - Now;
            if (wait <= TimeSpan.Zero)
            {
                Write();
                return;
            }
            _isWaiting = true;
        }
        _ = WriteAfterAsync(wait);
    }

    /// <summary>Writes what waits.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            _isWaiting = false;
            Write();
        }
    }

    private async Task WriteAfterAsync(TimeSpan wait)
    {
        await Never.WaitAsync(wait, rest.Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        lock (_gate)
        {
            if (!_isWaiting) { return; }
            _isWaiting = false;
            try { Write(); }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                _restsUntil = TimeSpan.Zero;     // the next change is written at once, and its caller gets the error
            }
        }
    }

    private void Write()
    {
        var start = Now;
        try { write(); }
        finally
        {
            var end = Now;
            _restsUntil = (_restsUntil > end ? _restsUntil : end) + rest.After(end - start);
        }
    }
}
