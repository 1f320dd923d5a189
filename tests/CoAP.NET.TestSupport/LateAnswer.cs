namespace CoAP.TestSupport;

/// <summary>A handler whose answer comes when the test says so, or after a simulated time.</summary>
internal sealed class LateAnswer
{
    private readonly Queue<TaskCompletionSource<CoapResponse>> _waiting = new();

    /// <summary>How often the handler was called.</summary>
    public int Calls { get; private set; }

    /// <summary>Completes after a time on a clock that the test moves.</summary>
    public static Task After(ManualClock time, TimeSpan delay)
    {
        var over = new TaskCompletionSource();
        ITimer? timer = null;
        timer = time.CreateTimer(_ => Finish(), null, delay, Timeout.InfiniteTimeSpan);
        return over.Task;

        void Finish()
        {
            timer?.Dispose();
            over.SetResult();
        }
    }

    public ValueTask<CoapResponse> HandleAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        Calls++;
        var answer = new TaskCompletionSource<CoapResponse>();
        _waiting.Enqueue(answer);
        return new(answer.Task);
    }

    /// <summary>Answers the request that has waited longest.</summary>
    public void Answer(CoapResponse response) => NoContext.Run(() => _waiting.Dequeue().TrySetResult(response));

    /// <summary>Has the handler of the request that has waited longest fail.</summary>
    public void Fail(Exception error) => NoContext.Run(() => _waiting.Dequeue().TrySetException(error));
}
