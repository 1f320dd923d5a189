using System.Globalization;
using System.Numerics;

namespace CoAP.Formats;

/// <summary>Reads decimal fractions: numbers with tag 4, which RFC 8428, section 6 allows (RFC 8949, section 3.4.4).</summary>
internal static class SenmlCborFractions
{
    private const ulong DecimalFraction = 4;
    private const int MaxMantissaBits = 256;

    // Beyond these exponents, each mantissa of at most 256 bits becomes 0 or infinite.
    private const int MaxExponent = 1000;

    /// <summary>What is wrong with an item that has the tag and is no decimal fraction.</summary>
    public static string Rule { get; } =
        $"a decimal fraction is not an array of an exponent and a mantissa of at most {MaxMantissaBits} bits (RFC 8949, section 3.4.4)";

    /// <summary>Reads a tagged item, whatever it is. Returns its number, or <see langword="null"/> if it is no decimal fraction.</summary>
    /// <param name="reader">The reader, in front of the tag.</param>
    /// <param name="hasTag">Whether the item has the tag of decimal fractions.</param>
    public static double? TryRead(CborReader reader, out bool hasTag)
    {
        hasTag = reader.ReadTag() == DecimalFraction;
        if (!hasTag || reader.Peek() != ItemKind.Array)
        {
            reader.Skip();
            return null;
        }
        var (items, exponent, mantissa) = (0, (int?)null, (BigInteger?)null);
        reader.ReadArrayStart();
        while (reader.MoveNext())
        {
            switch (items++)
            {
                case 0: exponent = TryReadExponent(reader); break;
                case 1: mantissa = TryReadMantissa(reader); break;
                default: reader.Skip(); break;
            }
        }
        if (items != 2 || exponent is not { } power || mantissa is not { } digits) { return null; }
        return digits.GetBitLength() <= MaxMantissaBits ? ToDouble(digits, power) : null;
    }

    private static int? TryReadExponent(CborReader reader)
    {
        if (reader.Peek() == ItemKind.Integer) { return (int)Math.Clamp(reader.ReadDouble(), -MaxExponent, MaxExponent); }
        reader.Skip();
        return null;
    }

    private static BigInteger? TryReadMantissa(CborReader reader)
    {
        var kind = reader.Peek();
        if (kind == ItemKind.Integer) { return reader.ReadBigInteger(); }
        var tag = kind == ItemKind.Tagged ? reader.ReadTag() : 0;
        if (tag is not (CborMajor.PositiveTag or CborMajor.NegativeTag) || reader.Peek() != ItemKind.Bytes)
        {
            reader.Skip();
            return null;
        }
        var magnitude = new BigInteger(reader.ReadBytes(), isUnsigned: true, isBigEndian: true);
        return tag == CborMajor.PositiveTag ? magnitude : -BigInteger.One - magnitude;
    }

    private static double ToDouble(BigInteger mantissa, int exponent)
    {
        // The parser of the runtime rounds correctly; a multiplication by a power of ten would not.
        Span<char> digits = stackalloc char[96];
        mantissa.TryFormat(digits, out var length, default, CultureInfo.InvariantCulture);
        digits[length++] = 'e';
        exponent.TryFormat(digits[length..], out var more, default, CultureInfo.InvariantCulture);
        return double.Parse(digits[..(length + more)], NumberStyles.Float, CultureInfo.InvariantCulture);
    }
}
