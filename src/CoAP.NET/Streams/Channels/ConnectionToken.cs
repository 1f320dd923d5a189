using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>Fires when a connection ends or its endpoint stops. All handlers of the connection's requests share it. Safe for concurrent use.</summary>
/// <remarks>It is never disposed of, because handlers may use it after the end. It has no timer. <see cref="Leave"/> releases its registration.</remarks>
internal sealed class ConnectionToken : CancellationTokenSource
{
    private readonly CancellationTokenRegistration _stopping;

    /// <param name="stopping">Canceled when the endpoint stops.</param>
    public ConnectionToken(CancellationToken stopping) =>
        _stopping = stopping.UnsafeRegister(static source => ((ConnectionToken)source!).Cancel(), this);

    /// <summary>Removes the registration with the token of the endpoint.</summary>
    public void Leave() => _stopping.Unregister();

    /// <summary>Fires the token. User callbacks run on the thread pool, because a callback that blocks must not stop the lane.</summary>
    public Task FireAsync(EndpointLog log)
    {
        Leave();
        return this.CancelLoggedAsync(log);
    }
}
