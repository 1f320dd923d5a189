using CoAP.Lanes;
using CoAP.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>A server with a handler that waits for its cancellation token, and what its tests ask of it.</summary>
public abstract class CancelableHandler : IAsyncDisposable
{
    private protected const string GetSlow = "51 01 7a b4 736c6f77";          // GET slow
    private protected const string GetHi = "31 01 01 b2 6869";
    private protected const string Hi = "414501c0ff6869";
    private protected const string Abort = "00 e5";

    private protected readonly ManualClock _time = new();
    private protected readonly TestLog _log = new();
    private protected readonly TaskCompletionSource<IncomingRequest> _entered = Source<IncomingRequest>();
    private protected readonly TaskCompletionSource _fired = Source();
    private protected readonly TaskCompletionSource _answered = Source();
    private protected readonly TaskCompletionSource _leaves = Source();
    private protected StreamHost? _host;

    public async ValueTask DisposeAsync()
    {
        _leaves.TrySetResult();
        if (_host is not null) { await _time.PassAsync(_host.DisposeAsync().AsTask()); }
        _log.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected StreamHost Start(
        ServerMode mode, Func<CoapServerSettings, CoapServerSettings>? change = null, params Func<RequestDelegate, RequestDelegate>[] steps)
    {
        var host = new StreamHost(settings =>
        {
            settings = settings with { Mode = mode, TimeProvider = _time, LoggerFactory = _log };
            return change?.Invoke(settings) ?? settings;
        }, steps);
        return _host = host;
    }

    /// <summary>Starts a server and has a peer call a handler, which waits for its token.</summary>
    private protected async Task<RawPeer> EnterAsync(
        ServerMode mode, Func<CoapServerSettings, CoapServerSettings>? change = null, RequestDelegate? handler = null,
        params Func<RequestDelegate, RequestDelegate>[] steps)
    {
        var host = Start(mode, change, [Watch, .. steps]);
        host.Server.Resources.At("slow").Get(handler ?? WaitAsync);
        var peer = await host.OpenAsync();
        peer.Send(GetSlow);
        await _entered.Task.WaitAsync(RawPeer.Patience);
        return peer;
    }

    private protected async ValueTask<CoapResponse> WaitAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.Register(() => _fired.TrySetResult());
        await Task.WhenAny(_fired.Task, _leaves.Task);
        return Response.Changed;
    }

    private protected RequestDelegate Watch(RequestDelegate next) => async (request, cancellationToken) =>
    {
        _entered.TrySetResult(request);
        try { return await next(request, cancellationToken); }
        finally { _answered.TrySetResult(); }
    };

    /// <summary>The answer of the handler is dropped and counted, and nothing of the connection is left.</summary>
    private protected async Task EndsAsync()
    {
        await _answered.Task.WaitAsync(RawPeer.Patience);
        using var other = await _host!.OpenAsync();
        Lane[] lanes;
        do
        {
            other.Send(GetHi);
            (await other.ReadAsync()).Should().Be(Hi);
            lanes = [.. _host.Server.Lanes.OfType<StreamLane>()];
        }
        while (lanes.Sum(static lane => lane.Metrics[RequestEnd.Lost]) == 0 || _host.Server.OpenConnections > 1);

        lanes.Sum(static lane => lane.Metrics[LaneCounters.LateAnswers]).Should().BePositive();
        lanes.Sum(static lane => lane.PendingRequests).Should().Be(0);
    }

    private protected static TaskCompletionSource Source() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private protected static TaskCompletionSource<T> Source<T>() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
