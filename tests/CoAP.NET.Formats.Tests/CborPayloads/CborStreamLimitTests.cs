using CoAP.TestSupport;
using Pair = CoAP.Formats.Tests.CborFormatTests.Pair;

namespace CoAP.Formats.Tests;

public sealed class CborStreamLimitTests
{
    [Fact, Trait("RFC", "8949 3.2"), Trait("RFC", "8949 3.2.2")]
    public void Reads_an_array_without_a_count()
    {
        var format = CborFormatTests.Format();
        var bytes = Convert.FromHexString("d9d9f79f" + string.Concat(Enumerable.Repeat("1902ff", 30_000)) + "ff");

        format.ReadList<int>(new TricklingStream(bytes, 2, 999)).Should().HaveCount(30_000).And.OnlyContain(item => item == 0x2ff);
        format.ReadArray<int>(new MemoryStream(bytes)).Should().HaveCount(30_000);
        format.ReadItems<int>(new TricklingStream(bytes, bytes.Length - 1, 1)).Should().HaveCount(30_000);
        format.ReadItems<int>(new MemoryStream([0x9f, 0xff])).Should().BeEmpty();
    }

    [Theory, InlineData("9f0102"), InlineData("9f"), InlineData("01"), InlineData(""), InlineData("bfff"), InlineData("9f01ffff")]
    [InlineData("9bffffffffffffffff01"), InlineData("9c"), InlineData("c1c1")]
    [InlineData("9fd9d9f7ff"), InlineData("80d9d9f7")]
    public void Rejects_what_is_not_an_array(string hex)
    {
        var read = () => CborFormatTests.Format().ReadList<int>(new TricklingStream(Convert.FromHexString(hex), 0, 1));

        read.Should().Throw<CoapPayloadException>().WithMessage("*(at byte *).");
    }

    [Fact]
    public void Rejects_the_mark_of_cbor_before_the_end_of_an_array_where_bytes_have_just_arrived()
    {
        byte[] bytes = [0x9f, .. new byte[5000], 0xd9, 0xd9, 0xf7, 0xff];
        var read = () => CborFormatTests.Format().ReadList<int>(new TricklingStream(bytes, 5001, 10));

        read.Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public async Task Items_cannot_be_enumerated_twice_because_the_memory_has_been_returned()
    {
        var format = CborFormatTests.Format();
        var bytes = CborFormatTests.Bytes(format, new int[1000]);
        var items = format.ReadItems<int>(new MemoryStream(bytes));
        var itemsLater = format.ReadItemsAsync<int>(new MemoryStream(bytes));
        items.First().Should().Be(0);
        await foreach (var _ in itemsLater) { break; }
        var again = () => items.First();
        var laterAgain = async () => { await foreach (var _ in itemsLater) { } };

        again.Should().Throw<InvalidOperationException>().WithMessage("*only once*");
        await laterAgain.Should().ThrowAsync<InvalidOperationException>();
    }

    [Fact]
    public void Bounds_the_number_of_items_of_a_list()
    {
        var format = CborFormatTests.Format(new PayloadLimits { MaxCount = 100 });
        var allowed = CborFormatTests.Bytes(format, new int[100]);
        var excessive = CborFormatTests.Bytes(format, new int[101]);
        var read = () => format.ReadList<int>(new MemoryStream(excessive));

        format.ReadList<int>(new MemoryStream(allowed)).Should().HaveCount(100);
        read.Should().Throw<CoapPayloadException>().WithMessage("The array has 101 items; at most 100 are allowed (at byte 0).");
        format.ReadItems<int>(new MemoryStream(excessive)).Should().HaveCount(101);
    }

    [Theory, InlineData(100, true), InlineData(101, false)]
    public void Bounds_the_number_of_items_of_a_list_without_a_count(int count, bool isAllowed)
    {
        var format = CborFormatTests.Format(new PayloadLimits { MaxCount = 100 });
        byte[] bytes = [0x9f, .. new byte[count], 0xff];
        var read = () => format.ReadArray<int>(new MemoryStream(bytes));

        if (isAllowed) { read().Should().HaveCount(100); }
        else { read.Should().Throw<CoapPayloadException>().WithMessage("The array has 101 items; at most 100 are allowed (at byte 0)."); }
    }

    [Fact]
    public void Bounds_the_bytes_of_a_list()
    {
        var bytes = CborFormatTests.Bytes(CborFormatTests.Format(), new int[100]);
        var read = () => CborFormatTests.Format(new PayloadLimits { MaxSize = bytes.Length - 1 }).ReadList<int>(new MemoryStream(bytes));

        CborFormatTests.Format(new PayloadLimits { MaxSize = bytes.Length }).ReadList<int>(new MemoryStream(bytes)).Should().HaveCount(100);
        read.Should().Throw<CoapPayloadException>().WithMessage($"The payload has more than {bytes.Length - 1} bytes*");
    }

    [Fact]
    public void Bounds_the_bytes_of_an_item()
    {
        var format = CborFormatTests.Format(new PayloadLimits { MaxSize = 200_000 });
        var stream = new MemoryStream();
        format.WriteItems(stream, [new Pair(1, ""), new Pair(2, new string('x', 1_000_000))], 2);
        var trickle = new TricklingStream(stream.ToArray(), 0, 1000);
        var read = () => format.ReadItems<Pair>(trickle).Count();

        read.Should().Throw<CoapPayloadException>().WithMessage("An item has more than 200000 bytes; at most 200000 are allowed (at byte *).");
        trickle.LargestRequest.Should().BeLessThan(600_000);
    }

    [Fact]
    public void Does_not_believe_an_announced_count()
    {
        byte[] bytes = [0x9a, 0x00, 0xff, 0xff, 0xff, 1, 2];
        var format = CborFormatTests.Format();
        Action[] reads = [() => format.ReadList<int>(new MemoryStream(bytes)), () => format.ReadArray<long>(new TricklingStream(bytes, 1, 1))];
        foreach (var read in reads) { Refusals.Of(read).Bytes.Should().BeLessThan(200_000); }
    }

    [Fact]
    public void Needs_little_more_memory_than_the_values()
    {
        var format = CborFormatTests.Format();
        var values = CborStreamTests.Integers(2_000_000);
        var bytes = CborFormatTests.Bytes(format, values);
        var valueBytes = sizeof(int) * (long)values.Length;

        Allocations.Of(() => format.ReadArray<int>(new MemoryStream(bytes))).Should().BeLessThan(valueBytes + 200_000);
        Allocations.Of(() => format.ReadList<int>(new MemoryStream(bytes))).Should().BeLessThan(valueBytes + 200_000);
        Allocations.Of(() => format.ReadArray<int>(new TricklingStream(bytes, 0, 10_000))).Should().BeLessThan((long)(valueBytes * 1.1));
        Allocations.Of(() => format.WriteItems(Stream.Null, values, values.Length)).Should().BeLessThan(200_000);
        Allocations.Of(() => format.WriteItems(Stream.Null, values.Where(_ => true), values.Length)).Should().BeLessThan(200_000);
        Allocations.Of(() => { foreach (var _ in format.ReadItems<int>(new MemoryStream(bytes))) { } }).Should().BeLessThan(200_000);
    }

    [Fact]
    public void Random_bytes_break_nothing()
    {
        var format = CborFormatTests.Format();
        var pairs = new MemoryStream();
        format.WriteItems(pairs, [new Pair(1, "a"), new Pair(-70_000, "text"), new Pair(5, "")], 3);
        byte[][] documents =
        [
            pairs.ToArray(), CborFormatTests.Bytes(format, CborStreamTests.Integers(20)),
            CborFormatTests.Bytes(format, CborStreamTests.Integers(700)),
            [0x9f, 1, 2, 0x18, 0x20, 0xff], [0x9f, 0x82, 1, 0x61, 0x61, 0x82, 2, 0x60, 0xff],
        ];
        // The windows of 64 KiB come from a pool, which may have dropped them.
        HostileInputs.Run(documents, (document, turn) => Read(format, document, turn), seed: 16, HostileInputs.Count / 4,
            fixedBytes: 96 << 10);
    }

    private static void Read(CborFormat format, byte[] document, int turn)
    {
        var stream = new TricklingStream(document, turn % 5, 1 + (turn % 50));
        switch (turn % 4)
        {
            case 0: format.ReadList<int>(stream); break;
            case 1: format.ReadArray<Pair>(stream); break;
            case 2: foreach (var _ in format.ReadItems<Pair>(stream)) { } break;
            default: foreach (var _ in format.ReadItems<int>(new MemoryStream(document))) { } break;
        }
    }
}
