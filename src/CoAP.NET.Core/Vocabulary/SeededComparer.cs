using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP;

/// <summary>
/// Compares the keys of a table with hash codes that a peer cannot foresee, so that it cannot choose keys that all collide.
/// </summary>
/// <remarks>
/// <para>The default hash codes of numbers, dates, <see cref="Guid"/>, tuples and records are known to everybody. A few thousand keys
/// with the same hash code make a table so slow that it stops a server. Use this comparer for every table whose keys come from a
/// peer.</para>
/// <para>Supports texts, numbers, enumerations, dates and times, <see cref="Guid"/>, <see cref="Version"/>, <see cref="IPAddress"/>,
/// tuples of these, and types with seeded hash codes of their own, such as <see cref="Token"/> and <see cref="PeerIdentity"/>. Another
/// type is hashed by its own <see cref="object.GetHashCode"/>: a peer that can choose values for which that is equal can still make them
/// collide. Safe for concurrent use.</para>
/// </remarks>
/// <typeparam name="T">The type of the keys.</typeparam>
public sealed class SeededComparer<T> : IEqualityComparer<T>
{
    private SeededComparer()
    {
    }

    /// <summary>The comparer. Its hash codes are different in each process.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "The name is that of EqualityComparer<T>.Default.")]
    public static SeededComparer<T> Default { get; } = new();

    /// <summary>Whether two keys are equal, as the type itself says.</summary>
    public bool Equals(T? x, T? y) => EqualityComparer<T>.Default.Equals(x, y);

    /// <summary>Returns the seeded hash code of a key.</summary>
    public int GetHashCode(T obj)
    {
        if (!IsNumber()) { return SeededKeys.HashOf(obj); }
        Span<ulong> words = [0, 0];
        Unsafe.WriteUnaligned(ref Unsafe.As<ulong, byte>(ref words[0]), obj);
        return SeededHash.Of(words[0], words[1]);
    }

    // The types whose values are equal if their bytes are.
    private static bool IsNumber() => typeof(T).IsEnum || typeof(T) == typeof(bool) || typeof(T) == typeof(char)
        || typeof(T) == typeof(sbyte) || typeof(T) == typeof(short) || typeof(T) == typeof(int) || typeof(T) == typeof(long)
        || typeof(T) == typeof(byte) || typeof(T) == typeof(ushort) || typeof(T) == typeof(uint) || typeof(T) == typeof(ulong)
        || typeof(T) == typeof(Int128) || typeof(T) == typeof(UInt128) || typeof(T) == typeof(Guid);
}

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
