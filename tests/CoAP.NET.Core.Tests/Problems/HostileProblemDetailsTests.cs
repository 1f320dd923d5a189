using CoAP.TestSupport;

namespace CoAP.Tests.Problems;

/// <summary>Bytes that anybody may have made: no exception, no endless work, a clear no.</summary>
public sealed class HostileProblemDetailsTests
{
    private const int Runs = 20_000;

    [Theory, Trait("RFC", "9290 2")]
    [InlineData("", "nothing")]
    [InlineData("a0", "an empty map")]
    [InlineData("bfff", "an empty map")]
    [InlineData("80", "an array")]
    [InlineData("a1 20", "a key without a value")]
    [InlineData("a1 20 61", "a text that ends early")]
    [InlineData("a1 20 62 c328", "no UTF-8")]
    [InlineData("a1 20 00", "a title that is a number")]
    [InlineData("a1 20 7b ffffffffffffffff", "a text of 16 EiB")]
    [InlineData("bb ffffffffffffffff", "a map of 16 Ei pairs")]
    [InlineData("ba 7fffffff 20 61 61", "a map of 2 Gi pairs")]
    [InlineData("a2 20 61 61 20 61 62", "two titles")]
    [InlineData("a2 20 61 61", "fewer pairs than said")]
    [InlineData("a1 20 61 61 00", "bytes behind the map")]
    [InlineData("bf 20 61 61", "no break")]
    [InlineData("bf 20 ff", "a break in the place of a value")]
    [InlineData("a1 23 19 0100", "a response code of two bytes")]
    [InlineData("a1 23 20", "a negative response code")]
    [InlineData("a1 25 61 2d", "no language tag")]
    [InlineData("a1 26 00", "a direction that is a number")]
    [InlineData("a1 27 80", "no unprocessed options")]
    [InlineData("a1 27 81 01", "one unprocessed option in an array")]
    [InlineData("a1 00 00", "a custom entry that is no map")]
    [InlineData("a1 f4 00", "a key that is neither number nor text")]
    [InlineData("a1 3b ffffffffffffffff 00", "a key below all numbers")]
    [InlineData("a1 20 d8 26 81 62 656e", "a language without a text")]
    [InlineData("a1 20 d8 26 84 62 656e 61 61 f4 f4", "a text with too much")]
    [InlineData("a1 20 d8 27 82 62 656e 61 61", "another tag")]
    [InlineData("a1 20 7f 7f 61 61 ff ff", "chunks of chunks")]
    [InlineData("a1 28 f8 10", "a simple value in a form that is forbidden")]
    [InlineData("a1 28 1c", "a reserved length")]
    [InlineData("a1 28 1f", "a number without an end")]
    [InlineData("a1 28 5f 61 61 ff", "a text in chunks of bytes")]
    public void Is_refused(string hex, string what)
    {
        ProblemDetails.TryRead(Hex.Bytes(hex), out var problem).Should().BeFalse(what);

        problem.Should().BeNull();
    }

    [Theory]
    [InlineData(15, true), InlineData(17, false), InlineData(100_000, false)]
    public void Depth_is_bounded(int depth, bool isRead)
    {
        byte[] bytes = [0xA1, 0x28, .. Enumerable.Repeat((byte)0x81, depth), 0x00];

        ProblemDetails.TryRead(bytes, out _).Should().Be(isRead);
    }

    [Theory]
    [InlineData(64, true), InlineData(65, false)]
    public void The_number_of_entries_is_bounded(int count, bool isRead)
    {
        var pairs = Enumerable.Range(0, count).SelectMany(number => (byte[])[0x18, (byte)(100 + number), 0xA1, 0, 0]);

        ProblemDetails.TryRead((byte[])[0xB8, (byte)count, .. pairs], out _).Should().Be(isRead);
        ProblemDetails.TryRead((byte[])[0xBF, .. pairs, 0xFF], out _).Should().Be(isRead);
    }

    [Theory]
    [InlineData(1), InlineData(2)]
    public void Flipped_and_cut_bytes_never_throw_and_what_is_read_can_be_written(int seed)
    {
        var random = new Random(seed);
        var whole = Hex.Bytes("a6 20 d8 26 83 62 656e 65 48656c6c6f f4 21 63 616263 23 18 80 27 82 01 17 61 61 a1 00 82 f6 5f 41 00 ff 28 bf 01 02 ff");
        var read = 0;
        for (var run = 0; run < Runs; run++)
        {
            var bytes = whole[..random.Next(whole.Length + 1)];
            for (var flips = random.Next(4); flips > 0 && bytes.Length > 0; flips--) { bytes[random.Next(bytes.Length)] = (byte)random.Next(256); }
            if (!ProblemDetails.TryRead(bytes, out var problem)) { continue; }
            read++;
            ProblemDetails.TryRead(problem.ToBytes(), out var again).Should().BeTrue($"seed {seed}, {Hex.Text(bytes)}");
            again.Should().Be(problem, $"seed {seed}, {Hex.Text(bytes)}");
        }
        read.Should().BePositive();
    }
}
