using System.Net;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP;

/// <summary>Hashes keys by their kind.</summary>
internal static class SeededKeys
{
    /// <summary>Returns a hash code that is the same for values that are equal.</summary>
    public static int HashOf(object? key) => key switch
    {
        null => 0,
        string or ISeededKey => key.GetHashCode(),      // those of texts have a secret of their own in each process
        ITuple tuple => HashOf(tuple),
        Enum or bool or char or sbyte or short or int or long or byte or ushort or uint => SeededHash.Of((ulong)Convert.ToInt64(key, null)),
        ulong number => SeededHash.Of(number),
        Guid id => HashOfBytes(id),
        Int128 number => HashOfBytes(number),
        UInt128 number => HashOfBytes(number),
        Half number => HashOf((double)number),
        float number => HashOf((double)number),
        double number => HashOf(number),
        decimal number => HashOf(number),
        BigInteger number => SeededHash.Of(number.ToByteArray()),
        IPAddress address => PeerIdentity.From(new IPEndPoint(address, 0)).GetHashCode(),
        _ => HashOfTime(key) ?? SeededHash.Of((uint)key.GetHashCode()),
    };

    private static int? HashOfTime(object key) => key switch
    {
        DateTime time => SeededHash.Of((ulong)time.Ticks),
        DateTimeOffset time => SeededHash.Of((ulong)time.UtcTicks),
        DateOnly date => SeededHash.Of((ulong)date.DayNumber),
        TimeOnly time => SeededHash.Of((ulong)time.Ticks),
        TimeSpan time => SeededHash.Of((ulong)time.Ticks),
        Version version => SeededHash.Of(
            (ulong)version.Major << 32 | (uint)version.Minor, (ulong)version.Build << 32 | (uint)version.Revision),
        _ => null,
    };

    private static int HashOf(ITuple tuple)
    {
        var hash = tuple.Length;
        for (var i = 0; i < tuple.Length; i++) { hash = SeededHash.Combine(hash, HashOf(tuple[i])); }
        return hash;
    }

    // All zeros are equal, and so is everything that is no number.
    private static int HashOf(double number) =>
        SeededHash.Of(number == 0 ? 0 : BitConverter.DoubleToUInt64Bits(double.IsNaN(number) ? double.NaN : number));

    // The division removes the zeros at the end: 1.0 and 1.00 are equal.
    private static int HashOf(decimal number) => number == 0 ? SeededHash.Of(0) : HashOfBytes(number / 1.0000000000000000000000000000m);

    private static int HashOfBytes<T>(T value)
        where T : unmanaged => SeededHash.Of(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(ref value)));
}
