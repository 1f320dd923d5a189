namespace CoAP.Transports;

/// <summary>Runs blocking calls that have no token, such as connects and TLS handshakes.</summary>
internal static class BlockingCall
{
    /// <summary>Runs a call. When the token is canceled, the object that the call waits for is disposed of, which ends the call.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static void Run(Action call, IDisposable target, CancellationToken cancellationToken)
    {
        using (cancellationToken.UnsafeRegister(static target => ((IDisposable)target!).Dispose(), target))
        {
            try { call(); }
            catch (Exception) when (cancellationToken.IsCancellationRequested)
            {
                // The call failed because its target was disposed of.
            }
        }
        cancellationToken.ThrowIfCancellationRequested();
    }
}
