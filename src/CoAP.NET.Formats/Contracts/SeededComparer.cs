using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace CoAP.Formats;

/// <summary>Compares integers and GUIDs with hash codes that a peer cannot foresee, so that it cannot choose keys that all collide.</summary>
internal sealed class SeededComparer<T> : IEqualityComparer<T>
{
    // Multiply-shift hashing: with random odd factors, two different values collide with a probability of at most 2^-31.
    private readonly ulong _factor = Random() | 1;
    private readonly ulong _factorOfUpper = Random() | 1;

    /// <summary>The comparer, or <see langword="null"/> if the default comparer of the type is used.</summary>
    public static SeededComparer<T>? Default { get; } = IsSupported() ? new() : null;

    public bool Equals(T? x, T? y) => EqualityComparer<T>.Default.Equals(x, y);

    public int GetHashCode(T obj)
    {
        if (typeof(T) == typeof(Guid))
        {
            var halves = Unsafe.As<T, (ulong Lower, ulong Upper)>(ref obj);
            return (int)(((halves.Lower * _factor) + (halves.Upper * _factorOfUpper)) >> 32);
        }
        var value = Unsafe.SizeOf<T>() == sizeof(ulong) ? Unsafe.As<T, ulong>(ref obj) : (uint)obj!.GetHashCode();
        return (int)((value * _factor) >> 32);
    }

    private static bool IsSupported() => typeof(T) == typeof(Guid)
        || typeof(T) == typeof(sbyte) || typeof(T) == typeof(short) || typeof(T) == typeof(int) || typeof(T) == typeof(long)
        || typeof(T) == typeof(byte) || typeof(T) == typeof(ushort) || typeof(T) == typeof(uint) || typeof(T) == typeof(ulong);

    private static ulong Random()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(bytes);
        return BitConverter.ToUInt64(bytes);
    }
}
