using System.Buffers;

namespace CoAP;

/// <summary>A format for the values of one type. Derive from it to add a format of your own.</summary>
/// <typeparam name="TValue">The type of the values.</typeparam>
/// <param name="contentFormat">The identifier of the format (RFC 7252, section 12.3). 65,000 to 65,535 are free for experiments.</param>
/// <param name="name">The name of the format in error messages.</param>
public abstract class PayloadFormat<TValue>(uint contentFormat, string name) : IPayloadFormat
{
    /// <inheritdoc/>
    public uint ContentFormat { get; } = contentFormat <= ushort.MaxValue
        ? contentFormat
        : throw new ArgumentOutOfRangeException(nameof(contentFormat), $"Content-Format {contentFormat} is greater than 65,535 (RFC 7252, section 12.3).");

    /// <inheritdoc/>
    public string Name { get; } = string.IsNullOrEmpty(name) ? throw new ArgumentException("A format needs a name for error messages.", nameof(name)) : name;

    /// <summary>Writes a value.</summary>
    protected abstract void Write(IBufferWriter<byte> output, TValue value);

    /// <summary>Reads a value. The whole payload must be one value.</summary>
    /// <exception cref="CoapPayloadException">The payload is malformed.</exception>
    protected abstract TValue Read(ReadOnlyMemory<byte> payload);

    bool IPayloadFormat.Handles(Type type) => type == typeof(TValue);

    void IPayloadFormat.Write<T>(IBufferWriter<byte> output, T value) => Write(output, (TValue)(object)value!);

    T IPayloadFormat.Read<T>(ReadOnlyMemory<byte> payload) => (T)(object)Read(payload)!;
}
