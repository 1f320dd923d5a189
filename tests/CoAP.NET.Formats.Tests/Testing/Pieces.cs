namespace CoAP.Formats.Tests;

/// <summary>A stream that returns a few bytes at a time.</summary>
internal sealed class Pieces(byte[] bytes, int size) : MemoryStream(bytes)
{
    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(size, buffer.Length)]);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));
}
