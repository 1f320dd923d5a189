namespace CoAP.Resources;

/// <summary>A request that waits for the turn of its path.</summary>
internal sealed class PathWaiter(IncomingRequest request, in Account account)
    : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public IncomingRequest Request { get; } = request;

    public Account Account { get; } = account;

    /// <summary>The place among the requests of the account that wait; <see langword="null"/> before the request waits.</summary>
    public LinkedListNode<PathWaiter>? Place { get; set; }
}
