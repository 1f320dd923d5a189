using System.Buffers;

namespace CoAP.Vocabulary;

/// <summary>Writes values into a buffer that each thread keeps, and returns exact copies.</summary>
internal static class PayloadBuffer
{
    // A larger buffer is not kept: one large payload must not cost memory for ever on each thread.
    private const int MostKept = 64 << 10;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _kept;

    /// <summary>Returns the payload of a value.</summary>
    public static byte[] Write<T>(IPayloadFormat format, T value)
    {
        // A format may write another payload inside this one, so the buffer is not kept while it is in use.
        var buffer = _kept ?? new ArrayBufferWriter<byte>(1024);
        _kept = null;
        buffer.ResetWrittenCount();
        format.Write(buffer, value);
        var payload = buffer.WrittenSpan.ToArray();
        if (buffer.Capacity <= MostKept) { _kept = buffer; }
        return payload;
    }
}
