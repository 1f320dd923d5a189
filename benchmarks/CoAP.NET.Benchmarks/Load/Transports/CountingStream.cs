namespace CoAP.Benchmarks.Load;

/// <summary>Counts what is written and keeps nothing.</summary>
internal sealed class CountingStream : MemoryStream
{
    public long Count { get; private set; }

    public override void Write(ReadOnlySpan<byte> buffer) => Count += buffer.Length;

    public override void Write(byte[] buffer, int offset, int count) => Count += count;

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Count += buffer.Length;
        return ValueTask.CompletedTask;
    }
}
