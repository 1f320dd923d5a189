using System.Buffers.Binary;

namespace CoAP.Serialization;

/// <summary>The four bytes before the token of a datagram message (RFC 7252, section 3).</summary>
internal static class DatagramHeader
{
    public const int Length = 4;
    public const int Version = 1;

    /// <summary>Writes version, type and token length, code and message ID.</summary>
    public static void Write(Span<byte> destination, MessageType type, CoapCode code, MessageId messageId, int tokenNibble)
    {
        var first = (uint)((Version << 6) | ((int)type << 4) | tokenNibble);
        BinaryPrimitives.WriteUInt32BigEndian(destination, (first << 24) | ((uint)code.Value << 16) | messageId.Value);
    }

    /// <summary>Reads the type of a datagram of at least one byte.</summary>
    public static MessageType ReadType(ReadOnlySpan<byte> datagram) => (MessageType)((datagram[0] >> 4) & 3);

    /// <summary>Reads the message ID of a datagram of at least four bytes.</summary>
    public static MessageId ReadMessageId(ReadOnlySpan<byte> datagram) => new(BinaryPrimitives.ReadUInt16BigEndian(datagram[2..]));

    /// <summary>Whether a malformed datagram is rejected with a Reset. Only confirmable messages with a message ID are (RFC 7252, sections 4.2
    /// and 4.3). An unknown version is ignored (section 3).</summary>
    public static bool IsRejected(FormatError error, ReadOnlySpan<byte> datagram) =>
        error != FormatError.UnknownVersion && datagram.Length >= Length && ReadType(datagram) == MessageType.Confirmable;
}
