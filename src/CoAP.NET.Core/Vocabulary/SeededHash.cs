using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP;

/// <summary>A type that hashes its values with <see cref="SeededHash"/>, so that they are safe as the keys of a table.</summary>
internal interface ISeededKey;

/// <summary>Hashes keys that a peer can choose. The secret is drawn when the process starts and never leaves it.</summary>
/// <remarks>
/// <para>A key is multiplied by a secret number of 64 bits, and both halves of the product are combined. The products of two keys differ
/// by their difference times the secret. Without the secret, an attacker cannot choose the difference so that the product vanishes, but can
/// only guess (one chance in 2^32 for each pair). A peer never sees a hash code or the order of a table, so it cannot learn the secret from
/// answers either.</para>
/// <para><see cref="HashCode"/> and <see cref="ulong.GetHashCode"/> fold a number to 32 bits before any secret comes in, and the hash
/// codes of a record have no secret at all. Not a MAC.</para>
/// </remarks>
internal static class SeededHash
{
    private static readonly ulong First = Random();
    private static readonly ulong Second = Random();
    private static readonly ContentHash Bytes = new(Random());

    /// <summary>The secret, for hashes of 64 bits.</summary>
    public static ulong Key { get; } = Random();

    /// <summary>Hashes a number.</summary>
    public static int Of(ulong value) => Of(value, 0);

    /// <summary>Hashes two numbers.</summary>
    public static int Of(ulong first, ulong second) => (int)(ContentHash.Fold(first ^ First, second ^ Second) >> 32);

    /// <summary>Hashes bytes of any number.</summary>
    public static int Of(ReadOnlySpan<byte> bytes) => (int)(Bytes.Of(bytes) >> 32);

    /// <summary>Combines two hash codes, of which each is either seeded or of something that no peer can choose.</summary>
    public static int Combine(int first, int second) => Of((uint)first, (uint)second);

    /// <summary>Draws a secret number.</summary>
    private static ulong Random()
    {
        var number = 0UL;
        RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(new Span<ulong>(ref number)));
        return number;
    }
}
