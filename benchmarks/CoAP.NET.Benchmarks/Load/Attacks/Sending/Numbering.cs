using System.Buffers.Binary;

namespace CoAP.Benchmarks.Load;

/// <summary>Writes into a datagram what makes it differ from the others of a flood.</summary>
/// <param name="datagram">The datagram.</param>
/// <param name="number">Its number.</param>
internal delegate void Numbering(Span<byte> datagram, int number);

/// <summary>What differs between the datagrams of a flood.</summary>
internal static class Numberings
{
    private const int MessageIdAt = 2, TokenAt = 4, Half = 4, HelloRandomAt = 13 + 12 + 2;

    /// <summary>The message ID, and the token if there is one.</summary>
    public static void Tokens(Span<byte> datagram, int number)
    {
        BinaryPrimitives.WriteUInt16BigEndian(datagram[MessageIdAt..], (ushort)number);
        if (datagram.Length > TokenAt) { BinaryPrimitives.WriteInt32BigEndian(datagram[TokenAt..], number); }
    }

    /// <summary>The message ID, and a token of eight bytes whose halves are equal: a hash code that is one half XOR the other is the same for all of them.</summary>
    public static void Collisions(Span<byte> datagram, int number)
    {
        Tokens(datagram, number);
        BinaryPrimitives.WriteInt32BigEndian(datagram[(TokenAt + Half)..], number);
    }

    /// <summary>The random bytes of a ClientHello.</summary>
    public static void Hellos(Span<byte> datagram, int number) => BinaryPrimitives.WriteInt32BigEndian(datagram[HelloRandomAt..], number);
}
