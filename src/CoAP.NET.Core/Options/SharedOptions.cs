using System.Buffers.Binary;
using System.Numerics;

namespace CoAP.Options;

/// <summary>
/// Typed options with short values that this thread made before: peers say the same few words again and again, and options are immutable.
/// </summary>
/// <remarks>
/// A fixed number of places for each thread, found by the bytes; what comes later takes the place of what was there. A peer that says something
/// new each time makes it useless, not larger. Nothing is shared between threads, so nothing is contended.
/// </remarks>
internal static class SharedOptions
{
    /// <summary>The longest value that is kept, in bytes.</summary>
    public const int MaxLength = 16;

    private const int PlaceBits = 7;

    [ThreadStatic]
    private static Place[]? _places;

    /// <summary>The option of these bytes, or <see langword="null"/> where they are none.</summary>
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

    // Up to 16 bytes and their number: different bytes have different keys.
    private readonly record struct Key(ulong First, ulong Last, int Length)
    {
        private const ulong Golden = 0x9E37_79B9_7F4A_7C15;

        public static Key Of(ReadOnlySpan<byte> value) => value.Length >= sizeof(ulong)
            ? new(BinaryPrimitives.ReadUInt64LittleEndian(value), BinaryPrimitives.ReadUInt64LittleEndian(value[^sizeof(ulong)..]), value.Length)
            : new(Token.ReadInline(value), 0, value.Length);

        public int Hash(int number) => (int)(((First ^ BitOperations.RotateLeft(Last, 31) ^ (uint)number) * Golden) >> (64 - PlaceBits));
    }
}
