using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>A message of the return routability check (RFC 9853, section 4).</summary>
/// <param name="Type">The type. Messages of unknown types are ignored.</param>
/// <param name="Cookie">The unpredictable number of the challenge.</param>
internal readonly record struct RoutabilityMessage(RoutabilityMessageType Type, ulong Cookie)
{
    /// <summary>The length of a message in bytes.</summary>
    public const int Length = 1 + sizeof(ulong);

    /// <summary>Reads the content of a record. Returns <see langword="false"/> if it is malformed.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, out RoutabilityMessage message)
    {
        message = content.Length == Length ? new((RoutabilityMessageType)content[0], BinaryPrimitives.ReadUInt64BigEndian(content[1..])) : default;
        return content.Length == Length;
    }

    /// <summary>Returns the content of a record.</summary>
    public byte[] ToBytes()
    {
        var bytes = new byte[Length];
        bytes[0] = (byte)Type;
        BinaryPrimitives.WriteUInt64BigEndian(bytes.AsSpan(1), Cookie);
        return bytes;
    }
}

/// <summary>The messages of the return routability check.</summary>
internal enum RoutabilityMessageType : byte
{
    /// <summary>Checks whether the peer receives datagrams at an address.</summary>
    PathChallenge = 0,

    /// <summary>Repeats the cookie of a challenge.</summary>
    PathResponse = 1,

    /// <summary>Repeats the cookie of a challenge, and says that the peer no longer uses the address.</summary>
    PathDrop = 2,
}
