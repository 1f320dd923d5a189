using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Streams;

namespace CoAP;

/// <summary>Determines the state of a server.</summary>
internal static class ServerProbe
{
    /// <param name="mesh">The lanes; <see langword="null"/> before the start.</param>
    /// <param name="settings">The settings of the server.</param>
    /// <param name="laneTimeout">The longest time to wait for the lanes.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public static async Task<CoapServerState> RunAsync(
        EndpointLanes? mesh, CoapServerSettings settings, TimeSpan laneTimeout, CancellationToken cancellationToken)
    {
        if (mesh is null || mesh.IsStopping) { return new CoapServerState { IsRunning = false, Failure = mesh?.Completion.Exception?.GetBaseException() }; }
        using var timeout = new CancellationTokenSource(laneTimeout, settings.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        var lanes = await Task.WhenAll(mesh.Lanes.Where(static lane => lane is not StreamLane { IsShared: false }).Select((lane, number) => ProbeAsync(number, lane, either.Token))).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        return new CoapServerState
        {
            IsRunning = !mesh.IsStopping,
            Endpoints = mesh.Endpoints,
            Lanes = lanes,
            OpenConnections = mesh.OpenConnections,
            PendingRequests = new(mesh.Datagrams.Ledger.Requests.Used, mesh.Datagrams.Ledger.Requests.Limit),
            HandlerQueue = new(mesh.Datagrams.Ledger.HandlerQueue.Used, mesh.Datagrams.Ledger.HandlerQueue.Limit),
            CertificateExpires = settings.Tls.Certificate?.GetExpiry(),
            DtlsCertificateExpires = settings.Dtls?.GetCertificateExpiry(),
        };
    }

    // The probe takes the way of all work of other threads, so that it also finds a runner that no longer wakes up.
    private static async Task<LaneState> ProbeAsync(int number, Lane lane, CancellationToken timeout)
    {
        var start = lane.Time.GetTimestamp();
        var answer = new TaskCompletionSource<TimeSpan?>(TaskCreationOptions.RunContinuationsAsynchronously);
        lane.Post(new LaneAction(() => answer.TrySetResult(lane.Time.GetElapsedTime(start)), () => answer.TrySetResult(null)));
        using var registration = timeout.UnsafeRegister(static answer => ((TaskCompletionSource<TimeSpan?>)answer!).TrySetResult(null), answer);
        return new LaneState(number, lane is ExchangeLane { IsReliable: true }, await answer.Task.ConfigureAwait(false));
    }
}
