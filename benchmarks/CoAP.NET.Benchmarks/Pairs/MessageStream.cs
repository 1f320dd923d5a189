namespace CoAP.Benchmarks;

/// <summary>A message in memory as a stream that the serializer does not know: it has to ask for each part, and gets it at once.</summary>
/// <param name="head">The bytes before the payload, or the whole message.</param>
/// <param name="payload">The payload where it lies.</param>
/// <param name="knowsLength">Whether the stream tells its length and can seek.</param>
internal sealed class MessageStream(byte[] head, ReadOnlyMemory<byte> payload = default, bool knowsLength = true) : Stream
{
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => knowsLength;

    public override bool CanWrite => false;

    public override long Length => knowsLength ? head.Length + (long)payload.Length : throw new NotSupportedException();

    public override long Position { get => knowsLength ? _position : throw new NotSupportedException(); set => _position = value; }

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
