namespace SampleServer;

/// <summary>A seekable stream of any length that repeats the bytes 0 to 255 and holds no memory.</summary>
internal sealed class Pattern(long length) : Stream
{
    // Several cycles at once: a measurement of large bodies must not measure how they are made.
    private static readonly byte[] Cycles = [.. Enumerable.Range(0, 8 << 10).Select(static at => (byte)at)];

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => length;

    public override long Position { get; set; }

    /// <summary>Writes the bytes at an offset.</summary>
    public static void Fill(Span<byte> buffer, long offset)
    {
        while (!buffer.IsEmpty)
        {
            var from = Cycles.AsSpan((int)(offset & byte.MaxValue));
            var count = Math.Min(from.Length, buffer.Length);
            from[..count].CopyTo(buffer);
            buffer = buffer[count..];
            offset += count;
        }
    }

    public override int Read(Span<byte> buffer)
    {
        var count = (int)Math.Clamp(length - Position, 0, buffer.Length);
        Fill(buffer[..count], Position);
        Position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override long Seek(long offset, SeekOrigin origin) => Position = offset + origin switch
    {
        SeekOrigin.Begin => 0,
        SeekOrigin.Current => Position,
        _ => length,
    };

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
