using System.Runtime.CompilerServices;

namespace CoAP.Exchanges;

/// <summary>Continues the handling of a request on a handler thread, when the account of the request has its turn. Does nothing if none has been used.</summary>
/// <param name="exchange">The request.</param>
/// <param name="queue">Queues the request again; <see langword="null"/> if the handler did not begin on a handler thread.</param>
internal readonly struct HandlerThreadAwaiter(UnansweredRequest exchange, Action<UnansweredRequest>? queue) : ICriticalNotifyCompletion
{
    public bool IsCompleted => queue is null;

    public HandlerThreadAwaiter GetAwaiter() => this;

    public void GetResult()
    {
    }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        exchange.Continuation = continuation;
        queue!(exchange);
    }
}
