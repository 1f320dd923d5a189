using CoAP.Transports;

namespace CoAP.TestSupport;

/// <summary>The stream of a connection whose peer reads only when the test lets it: until then, writes wait.</summary>
internal sealed class HeldStream : AsyncOnlyStream
{
    private readonly List<byte> _written = [];
    private readonly Queue<byte> _input = new();
    private TaskCompletionSource? _released;
    private TaskCompletionSource _readable = new();

    /// <summary>The bytes that the peer has read.</summary>
    public IReadOnlyList<byte> Written => _written;

    /// <summary>The number of writes, those that wait included.</summary>
    public int Writes { get; private set; }

    public bool IsDisposed { get; private set; }

    /// <summary>Lets writes wait from now on.</summary>
    public void Hold() => _released ??= new();

    /// <summary>Lets the peer read everything.</summary>
    public void Release() => NoContext.Run(() => Interlocked.Exchange(ref _released, null)?.TrySetResult());

    /// <summary>Lets the connection receive bytes.</summary>
    public void Feed(ReadOnlySpan<byte> bytes)
    {
        foreach (var one in bytes) { _input.Enqueue(one); }
        NoContext.Run(() => Interlocked.Exchange(ref _readable, new()).TrySetResult());
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (_input.Count == 0) { await _readable.Task.ConfigureAwait(false); }
        var count = Math.Min(buffer.Length, _input.Count);
        for (var i = 0; i < count; i++) { buffer.Span[i] = _input.Dequeue(); }
        return count;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Writes++;
        if (_released is { } released) { await released.Task.ConfigureAwait(false); }
        _written.AddRange(buffer.Span);
    }

    protected override void Dispose(bool disposing)
    {
        IsDisposed = true;
        base.Dispose(disposing);
    }
}
