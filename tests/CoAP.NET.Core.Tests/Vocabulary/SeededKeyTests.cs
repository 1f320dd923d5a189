using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CoAP.Options;

namespace CoAP.Tests.Vocabulary;

/// <summary>A peer cannot choose keys of tables whose hash codes are equal.</summary>
public sealed class SeededKeyTests
{
    private const int Count = 4096;

    // Of random hash codes of 32 bits, hardly one of 4,096 occurs twice.
    private const int Distinct = Count - 4;

    [Fact]
    public void Tokens_of_two_equal_halves_have_different_hash_codes() =>
        AreDistinct(static number => TokenOf(number).GetHashCode());

    [Fact]
    public void Addresses_whose_lower_half_has_two_equal_halves_have_different_hash_codes() =>
        AreDistinct(static number => AddressOf(number).GetHashCode());

    public static TheoryData<string, Func<ulong, int>> Keys() => new()
    {
        { "long token", static number => LongTokenOf(number).GetHashCode() },
        { "channel", static number => new ChannelKey(AddressOf(number), default).GetHashCode() },
        { "place", static number => new PeerPlace(AddressOf(number), 5683).GetHashCode() },
        { "network", static number => Account.Of(NetworkOf(number)).GetHashCode() },
        { "options", static number => OptionsOf(number).GetHashCode() },
        { "option", static number => new ETag(BitConverter.GetBytes(number)).GetHashCode() },
        { "problem", static number => new ProblemEntry((long)number, new byte[] { 0xA1, 0x00, 0x00 }).GetHashCode() },
        { "long", static number => HashOf((long)number) },
        { "ulong", static number => HashOf(number) },
        { "Guid", static number => HashOf(MemoryMarshal.Cast<ulong, Guid>([number, number])[0]) },
        { "UInt128", static number => HashOf(new UInt128(number, number)) },
        { "double", static number => HashOf(BitConverter.UInt64BitsToDouble(number)) },
        { "decimal", static number => HashOf(new decimal((int)number, (int)number, 0, false, 0)) },
        { "DateTime", static number => HashOf(new DateTime((long)(number & 0x0FFF_FFFF_0FFF_FFFF) % DateTime.MaxValue.Ticks)) },
        { "TimeSpan", static number => HashOf(new TimeSpan((long)number)) },
        { "nullable", static number => HashOf<long?>((long)number) },
        { "enumeration", static number => HashOf((Wide)number) },
        { "tuple", static number => HashOf(((long)number, "a")) },
        { "tuple of tuples", static number => HashOf((1, (number, Guid.Empty))) },
    };

    [Theory]
    [MemberData(nameof(Keys))]
    public void Keys_of_two_equal_halves_have_different_hash_codes(string kind, Func<ulong, int> hash) =>
        AreDistinct(hash, kind);

    [Fact]
    public void Equal_keys_have_equal_hash_codes()
    {
        HashOf(1.0m).Should().Be(HashOf(1.000m));
        HashOf(0.0m).Should().Be(HashOf(-0.00m));
        HashOf(0.0).Should().Be(HashOf(-0.0));
        HashOf(double.NaN).Should().Be(HashOf(-double.NaN));
        HashOf(1.5f).Should().Be(HashOf(1.5f));
        HashOf(new DateTime(5, DateTimeKind.Utc)).Should().Be(HashOf(new DateTime(5, DateTimeKind.Local)));
        var midnight = new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);
        HashOf(midnight.ToOffset(TimeSpan.FromHours(1))).Should().Be(HashOf(midnight));
        HashOf(((long?)null, "a")).Should().Be(HashOf(((long?)null, new string('a', 1))));
        new Token([1, 2]).GetHashCode().Should().Be(new Token([1, 2]).GetHashCode()).And.NotBe(new Token([1, 2, 0]).GetHashCode());
    }

    private enum Wide : ulong
    {
        None,
    }

    private static int HashOf<T>(T value) => SeededComparer<T>.Default.GetHashCode(value);

    private static Token LongTokenOf(ulong value) => new([.. BitConverter.GetBytes(value), .. BitConverter.GetBytes(value)]);

    private static OptionSet OptionsOf(ulong value) => [new ETag(BitConverter.GetBytes(value))];

    private static PeerIdentity NetworkOf(ulong high)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, high);
        return PeerIdentity.FromIPv6(bytes, 0, 5683);
    }

    private static void AreDistinct(Func<ulong, int> hash, string kind = "") => Enumerable.Range(1, Count)
        .Select(number => hash(((ulong)number << 32) | (uint)number)).Distinct().Count().Should().BeGreaterThan(Distinct, kind);

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
