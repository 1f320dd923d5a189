using System.Buffers;

namespace CoAP.Formats;

/// <summary>Takes the place of the user's output in a writer that is kept for later, so that the output is not kept alive.</summary>
internal sealed class EmptyOutput : IBufferWriter<byte>
{
    internal static readonly EmptyOutput Instance = new();

    public void Advance(int count) { }

    public Memory<byte> GetMemory(int sizeHint = 0) => new byte[Math.Max(sizeHint, 16)];

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
