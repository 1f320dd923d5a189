namespace CoAP.Options;

/// <summary>The properties that an option number implies (RFC 7252, section 5.4.6).</summary>
internal static class OptionNumber
{
    public const int Max = 65_535;

    /// <summary>The first number of those that share one bit in a set of seen options.</summary>
    public const int SharedBit = 63;

    /// <summary>The bits of the critical numbers. Numbers that share the last bit may be critical or not.</summary>
    public const ulong CriticalBits = 0xAAAA_AAAA_AAAA_AAAA;

    public static bool IsCritical(int number) => (number & 1) != 0;

    public static bool IsUnsafe(int number) => (number & 2) != 0;

    public static bool IsNoCacheKey(int number) => (number & 0x1E) == 0x1C;

    /// <summary>Returns the bit of a number in a set of seen options. All numbers from 63 on share the last bit.</summary>
    public static ulong SeenBit(int number) => 1UL << Math.Min(number, SharedBit);

    /// <summary>Returns whether a set of bits, see <see cref="SeenBit"/>, contains a number below 63.</summary>
    public static bool IsIn(ulong bits, int number) => number < SharedBit && (bits & SeenBit(number)) != 0;
}
