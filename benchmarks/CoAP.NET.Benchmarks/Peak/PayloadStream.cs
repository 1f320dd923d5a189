namespace CoAP.Benchmarks.Peak;

/// <summary>A message as a stream: its head, then its payload where it lies.</summary>
internal sealed class PayloadStream(byte[] head, ReadOnlyMemory<byte> payload, bool tellsLength) : Stream
{
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => tellsLength;

    public override bool CanWrite => false;

    public override long Length => tellsLength ? head.Length + (long)payload.Length : throw new NotSupportedException();

    public override long Position { get => tellsLength ? _position : throw new NotSupportedException(); set => _position = value; }

    public override int Read(Span<byte> buffer)
    {
        var rest = _position < head.Length ? head.AsSpan((int)_position) : payload.Span[(int)(_position - head.Length)..];
        var length = Math.Min(rest.Length, buffer.Length);
        rest[..length].CopyTo(buffer);
        _position += length;
        return length;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        Task.FromResult(Read(buffer, offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
