using CoAP.Exchanges;

namespace CoAP.Resources;

// If the request goes on on a handler thread, it is in the queue of these threads when SetResult returns: before the thread of the request
// that had the turn is free. It gets that thread, so that an account does not hold more threads when its requests wait for each other.

/// <summary>A request that waits for the turn of its path.</summary>
internal sealed class PathWaiter(IncomingRequest request, in Account account)
    : TaskCompletionSource(IsOfHandlerThread(request) ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Whether the request has lost its turn because it did not begin in time. Used under the lock of the queue.</summary>
    public bool HasLostTurn { get; set; }

    public IncomingRequest Request { get; } = request;

    /// <summary>Whether the request goes on on a handler thread.</summary>
    public bool NeedsThread { get; } = IsOfHandlerThread(request);

    public Account Account { get; } = account;

    /// <summary>The place among the requests of the account that wait; <see langword="null"/> before the request waits.</summary>
    public LinkedListNode<PathWaiter>? Place { get; set; }

    private static bool IsOfHandlerThread(IncomingRequest request) => request.Unanswered is UnansweredRequest { Requeue: not null };
}
