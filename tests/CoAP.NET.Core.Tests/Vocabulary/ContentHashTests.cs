namespace CoAP.Tests.Vocabulary;

public class ContentHashTests
{
    [Fact]
    public void Equal_bytes_have_equal_hashes_wherever_they_lie()
    {
        var bytes = new byte[1200];
        new Random(1).NextBytes(bytes);
        var moved = new byte[1207];
        bytes.CopyTo(moved, 7);
        var cut = new ContentHash(42);

        for (var length = 0; length <= bytes.Length; length++)
        {
            cut.Of(moved.AsSpan(7, length)).Should().Be(cut.Of(bytes.AsSpan(0, length)), "length {0}", length);
        }
    }

    [Fact]
    public void Every_bit_and_the_length_count()
    {
        var cut = new ContentHash(42);
        var seen = new HashSet<ulong>();
        var hashes = 0;

        for (var length = 0; length <= 100; length++)
        {
            var bytes = new byte[length];
            seen.Add(cut.Of(bytes));
            hashes++;
            for (var bit = 0; bit < length * 8; bit++)
            {
                bytes[bit / 8] ^= (byte)(1 << (bit % 8));
                seen.Add(cut.Of(bytes));
                bytes[bit / 8] ^= (byte)(1 << (bit % 8));
                hashes++;
            }
        }

        seen.Should().HaveCount(hashes);
    }

    [Fact]
    public void A_changed_bit_of_content_or_key_changes_half_of_the_hash()
    {
        var random = new Random(3);
        var bytes = new byte[60];
        var (byContent, byKey) = (0.0, 0.0);
        for (var round = 0; round < 2000; round++)
        {
            random.NextBytes(bytes);
            var key = (ulong)random.NextInt64();
            var hash = new ContentHash(key).Of(bytes);
            byKey += ulong.PopCount(hash ^ new ContentHash(key ^ (1UL << random.Next(64))).Of(bytes));
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            byContent += ulong.PopCount(hash ^ new ContentHash(key).Of(bytes));
        }

        (byContent / 2000).Should().BeInRange(31, 33, "seed 3");
        (byKey / 2000).Should().BeInRange(31, 33, "seed 3");
    }
}
