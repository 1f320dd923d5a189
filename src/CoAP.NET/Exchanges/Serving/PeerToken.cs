using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>Fires when a peer or its connection is gone, or the endpoint stops. Safe for concurrent use.</summary>
/// <remarks>It is never disposed of, because handlers may use it after the end. It has no timer. <see cref="Leave"/> releases its registration.</remarks>
internal sealed class PeerToken : CancellationTokenSource
{
    private readonly CancellationTokenRegistration _stopping;

    /// <param name="stopping">Canceled when the endpoint stops.</param>
    public PeerToken(CancellationToken stopping) =>
        _stopping = stopping.UnsafeRegister(static source => ((PeerToken)source!).Cancel(), this);

    /// <summary>Removes the registration with the token of the endpoint.</summary>
    public void Leave() => _stopping.Unregister();

    /// <summary>Fires the token. Callbacks of users do not run within this call: one that blocks must not stop the lane.</summary>
    public Task FireAsync(Lane lane)
    {
        Leave();
        return lane.Runtime.CancelLoggedAsync(this, lane.Log);
    }
}
