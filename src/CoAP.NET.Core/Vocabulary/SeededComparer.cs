using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Runtime.CompilerServices;

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
