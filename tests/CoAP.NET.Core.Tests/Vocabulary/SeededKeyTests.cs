using System.Buffers.Binary;

namespace CoAP.Core.Tests.Vocabulary;

/// <summary>A peer cannot choose keys of tables whose hash codes are equal.</summary>
public sealed class SeededKeyTests
{
    private const int Count = 4096;

    // Of random hash codes of 32 bits, hardly one of 4,096 occurs twice.
    private const int Distinct = Count - 4;

    [Fact]
    public void Tokens_of_two_equal_halves_have_different_hash_codes() =>
        Range().Select(number => TokenOf((ulong)number << 32 | (uint)number).GetHashCode()).Distinct().Count().Should().BeGreaterThan(Distinct);

    [Fact]
    public void Addresses_whose_lower_half_has_two_equal_halves_have_different_hash_codes() =>
        Range().Select(number => AddressOf((ulong)number << 32 | (uint)number).GetHashCode()).Distinct().Count().Should().BeGreaterThan(Distinct);

    private static IEnumerable<int> Range() => Enumerable.Range(1, Count);

    private static Token TokenOf(ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        return new Token(bytes);
    }

    private static PeerIdentity AddressOf(ulong low)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, 0x2001_0DB8_0000_0001);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], low);
        return PeerIdentity.FromIPv6(bytes, 0, 5683);
    }
}
