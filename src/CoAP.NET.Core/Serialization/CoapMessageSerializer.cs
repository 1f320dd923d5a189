using System.Diagnostics.CodeAnalysis;

namespace CoAP.Serialization;

/// <summary>Turns messages into bytes and back, sync and async over the same sources and sinks. One derived class for each wire form.</summary>
/// <remarks>
/// Safe for concurrent use. A form has no limit on size beyond its own encoding: what a transport can carry is the channel's concern.
/// Bytes that are no message come as <see cref="FormatError"/> from <c>TryRead</c> and as <see cref="CoapFormatException"/> from <c>Deserialize</c>.
/// </remarks>
public abstract class CoapMessageSerializer
{
    /// <summary>The form of datagrams (RFC 7252, section 3).</summary>
    public static CoapMessageSerializer Datagram { get; } = new DatagramSerializer(Options.OptionRegistry.Default);

    /// <summary>The length-prefixed form of TCP and TLS (RFC 8323, section 3.2).</summary>
    public static CoapMessageSerializer Stream { get; } = new StreamSerializer(Options.OptionRegistry.Default);

    /// <summary>The number of bytes that the message takes in this form.</summary>
    public abstract int GetSize(CoapMessage message);

    /// <summary>Writes the message to the start of <paramref name="destination"/>, which holds at least <see cref="GetSize"/> bytes, and returns their number.</summary>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    public abstract int Write(Span<byte> destination, CoapMessage message);

    /// <summary>Reads one message from memory that holds exactly one; its options and payload are copied into an array of their own.</summary>
    public abstract bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset);

    /// <summary>Reads one message from memory that holds exactly one and is the message's from now on: nothing is copied, the bytes must not change.</summary>
    public abstract bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset);
}
