namespace CoAP.TestSupport;

/// <summary>A stream without a length that gives a few bytes at a time, and may break.</summary>
internal sealed class TrickleStream(byte[] content, int atOnce) : Stream
{
    private int _position;

    /// <summary>Where it breaks; never by default.</summary>
    public int FailsAt { get; init; } = int.MaxValue;

    /// <summary>The bytes that were read.</summary>
    public int Taken => Volatile.Read(ref _position);

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        if (_position >= FailsAt) { throw new IOException("The stream is broken."); }
        var count = Math.Min(Math.Min(atOnce, buffer.Length), content.Length - _position);
        content.AsSpan(_position, count).CopyTo(buffer);
        Volatile.Write(ref _position, _position + count);
        return count;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
