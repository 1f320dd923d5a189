namespace CoAP.Formats.Tests;

/// <summary>Large arrays, item by item.</summary>
public sealed class MessagePackStreamTests
{
    private const int Seed = 8949, Count = 3000;

    private static readonly MessagePackFormat Format = new(PackedShapes.GeneratedTypeShapeProvider);

    [Theory, InlineData(1), InlineData(5), InlineData(1000), InlineData(100_000)]
    public void Integers_are_the_same_however_the_bytes_arrive(int piece)
    {
        var random = new Random(Seed);
        var values = Enumerable.Range(0, Count).Select(_ => random.Next(int.MinValue, int.MaxValue) >> random.Next(32)).ToArray();
        using var stream = new MemoryStream();

        Format.WriteItems(stream, values, values.Length);

        PlainMessagePack.Describe(stream.ToArray()).Should().Be($"[{string.Join(",", values)}]");
        Format.Read<int[]>(stream.ToArray()).Should().Equal(values, $"the seed is {Seed}");
        Format.ReadItems<int>(new Pieces(stream.ToArray(), piece)).Should().Equal(values);
    }

    [Theory, InlineData(1), InlineData(7), InlineData(100_000)]
    public void Texts_are_the_same_however_the_bytes_arrive(int piece)
    {
        var random = new Random(Seed);
        var values = Enumerable.Range(0, Count).Select(_ => new string('ä', random.Next(random.Next(50) == 0 ? 20_000 : 40))).ToArray();
        using var stream = new MemoryStream();

        Format.WriteItems(stream, values.Where(static _ => true), values.Length);

        PlainMessagePack.Describe(stream.ToArray()).Should().Be($"[{string.Join(",", values.Select(static one => $"\"{one}\""))}]");
        Format.ReadItems<string>(new Pieces(stream.ToArray(), piece)).Should().Equal(values);
    }

    [Theory, InlineData(1), InlineData(100_000)]
    public async Task The_asynchronous_forms_do_the_same(int piece)
    {
        var values = Enumerable.Range(0, Count).Select(static i => new PackedReading($"s{i}", i / 8.0)).ToArray();
        using var one = new MemoryStream();
        using var other = new MemoryStream();

        await Format.WriteItemsAsync(one, values, values.Length);
        await Format.WriteItemsAsync(other, values.ToAsyncEnumerable(), values.Length);

        other.ToArray().Should().Equal(one.ToArray());
        Format.Read<List<PackedReading>>(one.ToArray()).Should().BeEquivalentTo(values);
        (await Format.ReadItemsAsync<PackedReading>(new Pieces(one.ToArray(), piece)).ToListAsync()).Should().BeEquivalentTo(values);
    }

    [Theory, InlineData(2), InlineData(4)]
    public void Another_number_of_items_than_announced_is_an_error(int announced) =>
        FluentActions.Invoking(() => Format.WriteItems(new MemoryStream(), (int[])[1, 2, 3], announced)).Should().Throw<ArgumentException>();

    [Fact]
    public void The_limits_bound_each_item_and_not_the_array()
    {
        var format = new MessagePackFormat(PackedShapes.GeneratedTypeShapeProvider, new PayloadLimits { MaxSize = 20, MaxCount = 2, MaxLength = 10 });
        using var stream = new MemoryStream();
        Format.WriteItems(stream, Enumerable.Repeat("1234567890", 100), 100);
        byte[] excessive = [0x92, 0xa0, 0xdb, 0xff, 0xff, 0xff, 0xff];

        format.ReadItems<string>(new Pieces(stream.ToArray(), 7)).Should().HaveCount(100);
        FluentActions.Invoking(() => format.ReadItems<string>(new Pieces(excessive, 3)).Count())
            .Should().Throw<CoapPayloadException>().WithMessage("A text or byte string has 4294967295 bytes; at most 10 are allowed (at byte 2).");
        FluentActions.Invoking(() => format.ReadItems<int[]>(new Pieces([0x91, 0xdd, 0xff, 0xff, 0xff, 0xff], 3)).Count())
            .Should().Throw<CoapPayloadException>().WithMessage("An array or map has 4294967295 items; at most 2 are allowed (at byte 1).");
    }

    [Theory]
    [InlineData("", "The stream ends where an array is expected (at byte 0).")]
    [InlineData("81a16101", "Expected an array; found fixmap (at byte 0).")]
    [InlineData("dc00", "ends where an array is expected (at byte 0).")]
    [InlineData("930102", "ends before the end of the array (at byte 3).")]
    [InlineData("930102cd01", "ends before the end of the array (at byte 3).")]
    [InlineData("930102a0", "Invalid MessagePack: *fixstr* (at byte 3).")]
    [InlineData("930102c1", "The byte 0xc1 is never used in MessagePack (at byte 3).")]
    [InlineData("9301020304", "continues after the array (at byte 4).")]
    [InlineData("ddffffffff010203", "(at byte 8).")]
    public void A_stream_that_is_not_one_array_is_refused(string hex, string message)
    {
        foreach (var piece in (int[])[1, 100])
        {
            FluentActions.Invoking(() => Format.ReadItems<int>(new Pieces(Convert.FromHexString(hex), piece)).Count())
                .Should().Throw<CoapPayloadException>().WithMessage($"*{message}");
        }
    }
}
