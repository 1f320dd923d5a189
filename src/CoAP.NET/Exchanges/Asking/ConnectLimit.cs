namespace CoAP.Exchanges;

/// <summary>Ends name resolution and the wait for a connection when the call exceeds its total time.</summary>
internal sealed class ConnectLimit : IDisposable
{
    private readonly CancellationToken _outer;
    private readonly CancellationTokenSource _timer;
    private readonly CancellationTokenSource _linked;
    private readonly CoapRequest _request;
    private readonly string _place;
    private readonly TimeSpan _left;

    private ConnectLimit(CoapRequest request, string place, TimeSpan left, TimeProvider time, CancellationToken cancellationToken)
    {
        (_request, _place, _left, _outer) = (request, place, left, cancellationToken);
        _timer = new CancellationTokenSource(TimeSpan.FromMilliseconds(Math.Clamp(left.TotalMilliseconds, 0, int.MaxValue)), time);
        _linked = CancellationTokenSource.CreateLinkedTokenSource(_timer.Token, cancellationToken);
    }

    public CancellationToken Token => _linked.Token;

    /// <summary>Whether a wait was canceled because the call exceeded its total time.</summary>
    public bool IsOver => _timer.IsCancellationRequested && !_outer.IsCancellationRequested;

    /// <summary>Returns the limit of a call, or <see langword="null"/> if its time is not limited.</summary>
    /// <param name="target">The target of the call.</param>
    /// <param name="time">The clock of the client.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    public static ConnectLimit? Of(in RequestTarget target, TimeProvider time, CancellationToken cancellationToken) => target.EndsAt == 0
        ? null
        : new ConnectLimit(
            target.Request, $"{target.Host}:{target.Port}", time.GetElapsedTime(time.GetTimestamp(), target.EndsAt), time, cancellationToken);

    /// <summary>Returns the error of the call.</summary>
    public CoapTimeoutException ToError() => new(_place, _request, CoapTimeoutException.TotalTime(_place, _left, AwaitedEvent.Connection))
    {
        AwaitedEvent = AwaitedEvent.Connection,
        Elapsed = _left,
        EndsCall = true,
    };

    public void Dispose()
    {
        _linked.Dispose();
        _timer.Dispose();
    }
}
