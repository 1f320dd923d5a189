namespace CoAP.TestSupport;

/// <summary>An empty stream that tells when it is disposed of.</summary>
internal sealed class WatchedStream : MemoryStream
{
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Closed => _closed.Task;

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        _closed.TrySetResult();
    }
}
