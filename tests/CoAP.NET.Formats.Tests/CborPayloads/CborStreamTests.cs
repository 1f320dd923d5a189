using Pair = CoAP.Formats.Tests.CborFormatTests.Pair;

namespace CoAP.Formats.Tests;

public sealed class CborStreamTests
{
    [Fact]
    public async Task Writes_the_bytes_of_the_whole_array()
    {
        var format = CborFormatTests.Format();
        foreach (var count in (int[])[0, 1, 23, 24, 300, 70_000])
        {
            var integers = Integers(count);
            var pairs = Pairs(count);
            var whole = CborFormatTests.Bytes(format, integers);
            (await WrittenAsync(format, integers)).Should().AllSatisfy(bytes => bytes.AsSpan().SequenceEqual(whole).Should().BeTrue());
            var expected = (await WrittenAsync(format, pairs))[0];

            (await WrittenAsync(format, pairs)).Should().AllSatisfy(bytes => bytes.AsSpan().SequenceEqual(expected).Should().BeTrue());
            format.ReadList<Pair>(new MemoryStream(expected)).Should().Equal(pairs);
        }
    }

    [Fact]
    public async Task Reads_an_array_in_all_ways()
    {
        var format = CborFormatTests.Format();
        foreach (var count in (int[])[0, 1, 300, 70_000])
        {
            var integers = Integers(count);
            var bytes = CborFormatTests.Bytes(format, integers);
            for (var i = 0; i < 3; i++)
            {
                foreach (var read in await ReadAsync<int>(format, () => i == 0 ? new MemoryStream(bytes) : new TricklingStream(bytes, i, 777 * i)))
                {
                    read.AsSpan().SequenceEqual(integers).Should().BeTrue();
                }
            }
        }
    }

    [Fact]
    public async Task Reads_a_stream_that_is_cut_anywhere()
    {
        var format = CborFormatTests.Format();
        var pairs = Pairs(40);
        var stream = new MemoryStream();
        format.WriteItems(stream, pairs, pairs.Length);
        for (var cut = 0; cut <= stream.Length; cut++)
        {
            var bytes = stream.ToArray();

            format.ReadItems<Pair>(new TricklingStream(bytes, cut, bytes.Length)).Should().Equal(pairs);
            (await format.ReadListAsync<Pair>(new TricklingStream(bytes, cut, 1))).Should().Equal(pairs);
        }
    }

    [Fact]
    public void Rejects_a_stream_that_ends_anywhere()
    {
        var format = CborFormatTests.Format();
        var pairs = Pairs(30);
        var stream = new MemoryStream();
        format.WriteItems(stream, pairs, pairs.Length);
        for (var length = 0; length < stream.Length; length++)
        {
            var bytes = stream.ToArray()[..length];
            var read = () => format.ReadList<Pair>(new TricklingStream(bytes, 7, 7));

            read.Should().Throw<CoapPayloadException>().Which.Offset.Should().BeInRange(0, length);
        }
    }

    [Fact]
    public void Reads_items_that_are_longer_than_the_window()
    {
        var format = CborFormatTests.Format();
        Pair[] pairs = [new(1, "a"), new(2, new string('b', 300_000)), new(3, "c"), new(4, new string('d', 70_000)), .. Pairs(5000)];
        var stream = new MemoryStream();
        format.WriteItems(stream, pairs, pairs.Length);

        format.ReadItems<Pair>(new TricklingStream(stream.ToArray(), 1, 1000)).Should().Equal(pairs);
        format.ReadArray<Pair>(new MemoryStream(stream.ToArray())).Should().Equal(pairs);
    }

    [Fact]
    public void Returns_the_items_before_an_error_and_says_where_it_is()
    {
        var format = CborFormatTests.Format();
        var bytes = CborFormatTests.Bytes(format, Enumerable.Repeat(1, 200_000).ToArray());
        bytes[150_000] = 0x60;
        var read = new List<int>();
        var enumerate = () => read.AddRange(format.ReadItems<int>(new TricklingStream(bytes, 1, 60_000)));
        var enumerateOneByOne = () => { foreach (var item in format.ReadItems<int>(new MemoryStream(bytes))) { read.Add(item); } };

        enumerate.Should().Throw<CoapPayloadException>();
        read.Clear();
        var error = enumerateOneByOne.Should().Throw<CoapPayloadException>().Which;
        read.Should().HaveCount(150_000 - 5);
        error.Offset.Should().BeInRange(150_000, 150_003);
        error.Message.Should().Contain($"(at byte {error.Offset})");
    }

    [Fact]
    public void Rejects_bytes_after_the_array()
    {
        var format = CborFormatTests.Format();
        byte[] bytes = [.. CborFormatTests.Bytes(format, new[] { 1, 2 }), 0];
        Action[] reads =
        [
            () => format.ReadArray<int>(new MemoryStream(bytes)),
            () => format.ReadList<int>(new TricklingStream(bytes, bytes.Length - 1, 1)),
        ];

        foreach (var read in reads)
        {
            read.Should().Throw<CoapPayloadException>().WithMessage($"The stream continues after the array (at byte {bytes.Length - 1}).");
        }
    }

    [Fact]
    public async Task Checks_the_number_of_items()
    {
        var format = CborFormatTests.Format();
        foreach (var count in (int[])[2, 4])
        {
            Func<Task>[] writes =
            [
                () => Task.Run(() => format.WriteItems(new MemoryStream(), new[] { 1, 2, 3 }, count)),
                () => Task.Run(() => format.WriteItems(new MemoryStream(), Enumerable.Range(1, 3), count)),
                async () => await format.WriteItemsAsync(new MemoryStream(), new List<string> { "a", "b", "c" }, count),
                async () => await format.WriteItemsAsync(new MemoryStream(), Async(new[] { 1, 2, 3 }), count),
            ];

            foreach (var write in writes)
            {
                await write.Should().ThrowAsync<ArgumentException>().WithMessage($"The sequence has * items; {count} were announced.*");
            }
        }
    }

    [Fact]
    public async Task Can_be_cancelled()
    {
        var format = CborFormatTests.Format();
        var bytes = CborFormatTests.Bytes(format, Integers(1000));
        var cancelled = new CancellationToken(canceled: true);
        var read = async () => await format.ReadListAsync<int>(new TricklingStream(bytes, 1, 1), cancelled);
        var enumerate = async () => { await foreach (var _ in format.ReadItemsAsync<int>(new TricklingStream(bytes, 1, 1), cancelled)) { } };

        await read.Should().ThrowAsync<OperationCanceledException>();
        await enumerate.Should().ThrowAsync<OperationCanceledException>();
    }

    internal static int[] Integers(int count)
    {
        var random = new Random(count);
        var values = new int[count];
        for (var i = 0; i < count; i++) { values[i] = random.Next(int.MinValue, int.MaxValue) >> random.Next(32); }
        return values;
    }

    internal static async IAsyncEnumerable<T> Async<T>(IEnumerable<T> items)
    {
        foreach (var item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }

    private static Pair[] Pairs(int count) => [.. Enumerable.Range(0, count).Select(i => new Pair(i * i, new string('t', i % 37)))];

    private static async Task<byte[][]> WrittenAsync<T>(CborFormat format, T[] items)
    {
        var streams = Enumerable.Range(0, 6).Select(_ => new MemoryStream()).ToArray();
        format.WriteItems(streams[0], items, items.Length);
        format.WriteItems(streams[1], items.ToList(), items.Length);
        format.WriteItems(streams[2], items.Where(_ => true), items.Length);
        await format.WriteItemsAsync(streams[3], items, items.Length);
        await format.WriteItemsAsync(streams[4], items.Where(_ => true), items.Length);
        await format.WriteItemsAsync(streams[5], Async(items), items.Length);
        return [.. streams.Select(stream => stream.ToArray())];
    }

    private static async Task<T[][]> ReadAsync<T>(CborFormat format, Func<Stream> open)
    {
        var items = new List<T>();
        await foreach (var item in format.ReadItemsAsync<T>(open())) { items.Add(item); }
        return
        [
            [.. items], [.. format.ReadItems<T>(open())], format.ReadArray<T>(open()), [.. format.ReadList<T>(open())],
            await format.ReadArrayAsync<T>(open()), [.. await format.ReadListAsync<T>(open())],
        ];
    }
}
