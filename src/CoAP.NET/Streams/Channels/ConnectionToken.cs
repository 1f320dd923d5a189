using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>Fires when a connection has ended, or when its endpoint stops. The handlers of the connection's requests share it. Safe for concurrent use.</summary>
/// <remarks>It is never disposed, because handlers may use it after the end. Without a timer it holds nothing else once it has left the endpoint's token.</remarks>
internal sealed class ConnectionToken : CancellationTokenSource
{
    private readonly CancellationTokenRegistration _stopping;

    /// <param name="stopping">Canceled when the endpoint stops.</param>
    public ConnectionToken(CancellationToken stopping) =>
        _stopping = stopping.UnsafeRegister(static source => ((ConnectionToken)source!).Cancel(), this);

    /// <summary>Leaves the token of the endpoint.</summary>
    public void Leave() => _stopping.Unregister();

    /// <summary>Fires. The callbacks of users run on the thread pool, because a callback that blocks must not stop the lane.</summary>
    public Task FireAsync(EndpointLog log)
    {
        Leave();
        return this.CancelLoggedAsync(log);
    }
}
