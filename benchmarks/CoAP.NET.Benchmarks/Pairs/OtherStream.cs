namespace CoAP.Benchmarks.Pairs;

/// <summary>Bytes that are there, in a stream of which the serializer does not know it: it has to ask, and gets its answer at once.</summary>
internal sealed class OtherStream(byte[] bytes) : MemoryStream(bytes)
{
    private readonly byte[] _bytes = bytes;

    // Both forms the same way; a class derived from MemoryStream copies twice in one of them otherwise.
    public override int Read(Span<byte> buffer)
    {
        var part = _bytes.AsSpan((int)Position, (int)Math.Min(buffer.Length, _bytes.Length - Position));
        part.CopyTo(buffer);
        Position += part.Length;
        return part.Length;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));
}
