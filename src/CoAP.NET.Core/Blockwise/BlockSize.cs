using System.Numerics;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The size of a block in the form of its exponent: 16 to 1,024 bytes, or BERT (RFC 7959, section 2.2; RFC 8323, section 6).</summary>
/// <param name="Exponent">SZX: 0 to 6, or 7 for BERT.</param>
internal readonly record struct BlockSize(int Exponent)
{
    /// <summary>The largest block number (RFC 7959, section 2.2).</summary>
    public const int MaxNumber = BlockOption.MaxNumber;

    private const int SmallestExponent = 4;
    private const int BertExponent = 7;

    public static BlockSize Smallest => new(0);

    public static BlockSize Largest => new(6);

    /// <summary>Several blocks of 1,024 bytes in one message over a reliable transport (RFC 8323, section 6).</summary>
    public static BlockSize Bert => new(BertExponent);

    public bool IsBert => Exponent == BertExponent;

    /// <summary>The number of bytes that a block number counts; 1,024 with BERT.</summary>
    public int Bytes => 1 << (Math.Min(Exponent, Largest.Exponent) + SmallestExponent);

    /// <summary>The largest body in blocks of this size, in bytes: 2 to the power of 20 blocks.</summary>
    public long MaxBody => (MaxNumber + 1L) * Bytes;

    /// <summary>Returns the largest size that does not exceed a number of bytes, and at least 16.</summary>
    public static BlockSize AtMost(int bytes) =>
        new(Math.Clamp(BitOperations.Log2((uint)Math.Max(bytes, 16)) - SmallestExponent, Smallest.Exponent, Largest.Exponent));

    /// <summary>Returns the size in an option.</summary>
    public static BlockSize Of(BlockOption option) => new(option.SizeExponent);

    /// <summary>Returns the number of blocks of a body; an empty body has one.</summary>
    public int CountOf(long length) => (int)Math.Max((length + Bytes - 1) / Bytes, 1);

    /// <summary>Returns the offset of a block in the body.</summary>
    public long OffsetOf(int number) => (long)number * Bytes;

    /// <summary>Returns the smaller of two sizes.</summary>
    public static BlockSize Min(BlockSize left, BlockSize right) => left.Exponent <= right.Exponent ? left : right;

    public override string ToString() => IsBert ? "BERT" : Bytes.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
