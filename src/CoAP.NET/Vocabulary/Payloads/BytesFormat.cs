using System.Buffers;

namespace CoAP.Vocabulary;

/// <summary>application/octet-stream: the payload as it is (RFC 7252, section 12.3).</summary>
internal sealed class BytesFormat : IPayloadFormat
{
    public uint ContentFormat => ContentFormats.OctetStream;

    public string Name => "bytes";

    public bool Handles(Type type) => type == typeof(byte[]) || type == typeof(ReadOnlyMemory<byte>);

    /// <summary>Whether a payload can be read as the type without knowing its Content-Format.</summary>
    public static bool NeedsNoName(Type type) => type == typeof(string) || type == typeof(byte[]) || type == typeof(ReadOnlyMemory<byte>);

    public void Write<T>(IBufferWriter<byte> output, T value) => output.Write(value is byte[] array ? array : ((ReadOnlyMemory<byte>)(object)value!).Span);

    public T Read<T>(ReadOnlyMemory<byte> payload) => typeof(T) == typeof(byte[]) ? (T)(object)payload.ToArray() : (T)(object)payload;
}
