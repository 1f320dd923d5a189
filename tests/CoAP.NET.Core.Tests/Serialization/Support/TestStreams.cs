namespace CoAP.Serialization;

/// <summary>A stream that hands out a few bytes at a time and counts what was asked of it.</summary>
internal sealed class DrippingStream(byte[] bytes, int atOnce, bool isAsync = false) : Stream
{
    private int _position;

    public int Consumed => _position;

    public int ReadsAtEnd { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        if (_position == bytes.Length && ++ReadsAtEnd > 10) { throw new InvalidOperationException("Reads on and on behind the end."); }
        var length = Math.Min(Math.Min(atOnce, buffer.Length), bytes.Length - _position);
        bytes.AsSpan(_position, length).CopyTo(buffer);
        _position += length;
        return length;
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (isAsync) { await Task.Yield(); }
        cancellationToken.ThrowIfCancellationRequested();
        return Read(buffer.Span);
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}

/// <summary>A stream of so many bytes that nobody holds: a header, then zeros. Written bytes are counted and dropped.</summary>
internal sealed class HugeStream(byte[] start, long length) : Stream
{
    private long _position;

    public long Written { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => true;

    public override long Length => length;

    public override long Position { get => _position; set => _position = value; }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        var read = (int)Math.Min(buffer.Length, length - _position);
        for (var index = 0; index < read && _position + index < start.Length; index++) { buffer[index] = start[_position + index]; }
        _position += read;
        return read;
    }

    public override void Write(byte[] buffer, int offset, int count) => Written += count;

    public override void Write(ReadOnlySpan<byte> buffer) => Written += buffer.Length;

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Written += buffer.Length;
        return default;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
