using System.Text;
using System.Text.Json;
using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

public sealed class JsonItemsTests
{
    private static readonly JsonFormat Format = new(SampleJson.Default);
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase };
    private static readonly int[] Numbers = [.. Enumerable.Range(-5_000, 30_000).Select(i => i * 7919)];

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100_000)]
    public async Task Reads_items_in_pieces_of_any_size(int piece)
    {
        var bytes = JsonSerializer.SerializeToUtf8Bytes(Numbers);

        Format.ReadItems<int>(new Pieces(bytes, piece)).Should().Equal(Numbers);
        (await Format.ReadItemsAsync<int>(new Pieces(bytes, piece)).ToListAsync()).Should().Equal(Numbers);
    }

    [Fact]
    public void Reads_objects_that_are_larger_than_a_piece()
    {
        Sensor[] sensors = [.. Enumerable.Range(0, 20).Select(i => new Sensor(new string('x', i * 10_000), i, [i]) { IsValid = true })];
        var bytes = JsonSerializer.SerializeToUtf8Bytes(sensors, Indented);

        Format.ReadItems<Sensor>(new Pieces(bytes, 1000)).Should().BeEquivalentTo(sensors);
    }

    [Fact]
    public async Task Writes_what_the_serializer_writes()
    {
        var (sync, async, fromAsync) = (new MemoryStream(), new MemoryStream(), new MemoryStream());

        Format.WriteItems(sync, Numbers);
        await Format.WriteItemsAsync(async, Numbers);
        await Format.WriteItemsAsync(fromAsync, Numbers.ToAsyncEnumerable());

        sync.ToArray().Should().Equal(JsonSerializer.SerializeToUtf8Bytes(Numbers));
        async.ToArray().Should().Equal(sync.ToArray());
        fromAsync.ToArray().Should().Equal(sync.ToArray());
    }

    [Fact]
    public void Reads_an_empty_array() => Items<int>(" [ ] ").Should().BeEmpty();

    [Theory]
    [InlineData("", "*any JSON tokens (at byte 0).")]
    [InlineData("{}", "The JSON is not an array (at byte 0).")]
    [InlineData("3", "The JSON is not an array (at byte 0).")]
    [InlineData("[1,2", "*(at byte 4).")]
    [InlineData("[1,2]x", "*(at byte 5).")]
    [InlineData("[1,,2]", "*(at byte 3).")]
    [InlineData("[1, \"x\"]", "The JSON value at $ is not valid for the expected type (at byte *).")]
    [InlineData("[1, 2.5]", "The JSON value at $ is not valid for the expected type (at byte *).")]
    public void Refuses_a_broken_array(string json, string message)
    {
        var read = () => Items<int>(json);

        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Fact]
    public void Limits_apply_to_each_item_and_not_to_the_array()
    {
        var format = new JsonFormat(SampleJson.Default, new PayloadLimits { MaxSize = 100_000, MaxCount = 3, MaxLength = 5 });
        var large = new Pieces(Encoding.UTF8.GetBytes($"[{new string(' ', 300_000)}[{new string('1', 300_000)}]]"), 4096);

        format.ReadItems<int>(new Pieces(JsonSerializer.SerializeToUtf8Bytes(Numbers), 4096)).Should().HaveCount(30_000);
        FluentActions.Invoking(() => format.ReadItems<int[]>(large).Count())
            .Should().Throw<CoapPayloadException>().WithMessage("An item has more than 100000 bytes*");
        FluentActions.Invoking(() => format.ReadItems<int[]>(new MemoryStream("[[1,2,3,4]]"u8.ToArray())).Count())
            .Should().Throw<CoapPayloadException>().WithMessage("The array has more than 3 items*(at byte 8).");
    }

    [Fact]
    public void A_large_array_needs_no_memory()
    {
        var bytes = Encoding.UTF8.GetBytes($"[{string.Join(',', Enumerable.Repeat("123456", 1_000_000))}]");
        var sum = 0L;

        var allocated = Allocations.Of(() => sum = Format.ReadItems<int>(new MemoryStream(bytes)).Sum(item => (long)item));

        sum.Should().Be(123_456_000_000);
        allocated.Should().BeLessThan(200_000);
    }

    private static List<T> Items<T>(string json) => [.. Format.ReadItems<T>(new Pieces(Encoding.UTF8.GetBytes(json), 2))];
}
