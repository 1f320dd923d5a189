namespace CoAP.Formats.Tests;

/// <summary>A stream that cannot seek, and that returns bytes in pieces: up to a place, then a number at once.</summary>
internal sealed class TricklingStream(byte[] bytes, int cut, int atOnce) : Stream
{
    private int _position;

    /// <summary>The largest number of bytes that somebody asked for.</summary>
    internal int LargestRequest { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(Span<byte> buffer)
    {
        LargestRequest = Math.Max(LargestRequest, buffer.Length);
        var end = Math.Min(_position < cut ? cut : _position + atOnce, bytes.Length);
        var count = Math.Min(buffer.Length, end - _position);
        bytes.AsSpan(_position, count).CopyTo(buffer);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    // Each second read is not complete at once.
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_position % 2 == 0) { await Task.Yield(); }
        return Read(buffer.Span);
    }

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
