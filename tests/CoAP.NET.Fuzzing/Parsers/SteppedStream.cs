namespace CoAP.Fuzzing.Parsers;

/// <summary>A stream whose reads return at most what is left of one step. What is written is lost.</summary>
internal sealed class SteppedStream(IReadOnlyList<byte[]> steps) : Stream
{
    private int _step;
    private int _at;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        while (_step < steps.Count && _at == steps[_step].Length) { (_step, _at) = (_step + 1, 0); }
        if (_step == steps.Count) { return 0; }
        var count = Math.Min(buffer.Length, steps[_step].Length - _at);
        steps[_step].AsSpan(_at, count).CopyTo(buffer);
        _at += count;
        return count;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count)
    {
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => default;
}
