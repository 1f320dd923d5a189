using System.Buffers.Binary;
using System.Numerics;

namespace CoAP.Options;

/// <summary>A cache of typed options with short values for each thread. Peers repeat the same few values, and options are immutable.</summary>
/// <remarks>
/// Each thread has a fixed number of entries, which are found by the bytes of the value; a new entry replaces the old one. A peer that sends a
/// new value each time makes the cache useless but not larger. Threads share nothing, so there is no contention.
/// </remarks>
internal static class OptionCache
{
    /// <summary>The longest value that is cached, in bytes.</summary>
    public const int MaxLength = 16;

    private const int PlaceBits = 7;

    [ThreadStatic]
    private static Place[]? _places;

    /// <summary>Returns the option with these bytes, or <see langword="null"/> if the value is not valid.</summary>
    public static CoapOption? GetOrMake(OptionDeclaration declaration, ReadOnlySpan<byte> value)
    {
        var key = Key.Of(value);
        ref var place = ref (_places ??= new Place[1 << PlaceBits])[key.Hash(declaration.Number)];
        if (ReferenceEquals(place.Declaration, declaration) && place.Key == key) { return place.Option; }
        var option = declaration.Make(value);
        if (option is not null) { place = new Place(declaration, key, option); }
        return option;
    }

    private readonly record struct Place(OptionDeclaration Declaration, Key Key, CoapOption Option);

    // Up to 16 bytes and their length: different values have different keys.
    private readonly record struct Key(ulong First, ulong Last, int Length)
    {
        private const ulong Golden = 0x9E37_79B9_7F4A_7C15;

        public static Key Of(ReadOnlySpan<byte> value) => value.Length >= sizeof(ulong)
            ? new(BinaryPrimitives.ReadUInt64LittleEndian(value), BinaryPrimitives.ReadUInt64LittleEndian(value[^sizeof(ulong)..]), value.Length)
            : new(Token.ReadInline(value), 0, value.Length);

        public int Hash(int number) => (int)(((First ^ BitOperations.RotateLeft(Last, 31) ^ (uint)number) * Golden) >> (64 - PlaceBits));
    }
}
