using System.Runtime.InteropServices;

namespace CoAP.Testing;

/// <summary>Splits the bytes of one direction of a connection into messages.</summary>
internal sealed class FrameSplitter
{
    private readonly List<byte> _bytes = [];

    /// <summary>The bytes after the last whole message.</summary>
    public byte[] Rest => [.. _bytes];

    public void Add(ReadOnlySpan<byte> bytes) => _bytes.AddRange(bytes);

    /// <summary>Takes the next whole message; <see langword="null"/> if there is none yet.</summary>
    public byte[]? Next()
    {
        if (WireMessage.FrameLength(CollectionsMarshal.AsSpan(_bytes)) is not { } length || length > _bytes.Count) { return null; }
        byte[] message = [.. _bytes[..(int)length]];
        _bytes.RemoveRange(0, message.Length);
        return message;
    }
}
