namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>Ends after so many bytes of another stream, until the next message begins.</summary>
internal sealed class OneMessageStream(Stream inner, int length) : Stream
{
    private int _left;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>Makes the next bytes readable.</summary>
    public void Begin() => _left = length;

    public override int Read(Span<byte> buffer)
    {
        return _left == 0 ? 0 : Take(inner.Read(buffer[..Math.Min(buffer.Length, _left)]));
    }

    // No state machine of its own where the bytes are there: it would be counted among ours.
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_left == 0) { return new(0); }
        var read = inner.ReadAsync(buffer[..Math.Min(buffer.Length, _left)], cancellationToken);
        return read.IsCompletedSuccessfully ? new(Take(read.Result)) : TakeAsync(read);
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private async ValueTask<int> TakeAsync(ValueTask<int> read) => Take(await read);

    private int Take(int read)
    {
        _left -= read;
        return read;
    }
}
