using System.Buffers;

namespace CoAP;

/// <summary>Converts values to payloads of one Content-Format and back.</summary>
/// <remarks>
/// <para>To add a format for one type, derive from <see cref="PayloadFormat{T}"/>. Register formats in <see cref="CoapEndpointSettings.Formats"/>.</para>
/// <para>Implementations must be safe for concurrent use. Payloads come from peers: an implementation must bound what a payload costs, and report a bad
/// one with a <see cref="CoapPayloadException"/>.</para>
/// </remarks>
public interface IPayloadFormat
{
    /// <summary>The identifier of the format in the options Content-Format and Accept (RFC 7252, section 12.3). 65,000 to 65,535 are free for experiments.</summary>
    uint ContentFormat { get; }

    /// <summary>The name of the format in error messages, such as "CBOR".</summary>
    string Name { get; }

    /// <summary>Returns whether the format can convert values of a type. Fast: called for each request.</summary>
    bool Handles(Type type);

    /// <summary>Writes a value.</summary>
    /// <typeparam name="T">A type for which <see cref="Handles"/> returns <see langword="true"/>.</typeparam>
    void Write<T>(IBufferWriter<byte> output, T value);

    /// <summary>Reads a value. The whole payload must be one value.</summary>
    /// <typeparam name="T">A type for which <see cref="Handles"/> returns <see langword="true"/>.</typeparam>
    /// <exception cref="CoapPayloadException">The payload is malformed, exceeds a limit, or does not contain a <typeparamref name="T"/>.</exception>
    T Read<T>(ReadOnlyMemory<byte> payload);
}
