using System.Text;
using System.Xml.Linq;

namespace CoAP.Formats.Tests;

public sealed class XmlItemsTests
{
    private static readonly XmlFormat Format = new(RoomContracts.Default);
    private static readonly int[] Numbers = [.. Enumerable.Range(-5_000, 20_000).Select(i => i * 7919)];

    [Theory]
    [InlineData(1)]
    [InlineData(11)]
    [InlineData(100_000)]
    public async Task Reads_items_in_pieces_of_any_size(int piece)
    {
        var bytes = JsonFormatTests.Written(Format, Numbers);

        Format.ReadItems<int>(new Pieces(bytes, piece)).Should().Equal(Numbers);
        (await Format.ReadItemsAsync<int>(new Pieces(bytes, piece)).ToListAsync()).Should().Equal(Numbers);
    }

    [Fact]
    public void Reads_objects_nulls_comments_and_cdata()
    {
        const string Head = "<?xml version=\"1.0\"?>\n<!-- <x> --><n:rooms xmlns:n='urn:>' xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">";
        const string Body = "<room a='>'><name><![CDATA[</room>]]></name><time xsi:nil='true'/></room>"
            + " <!-- </n:rooms> --> <room/><n:room><children><x/></children></n:room>";
        var bytes = Encoding.UTF8.GetBytes($"{Head}{Body}</n:rooms> <!-- end -->");

        foreach (var piece in new[] { 1, 3, 1000 })
        {
            var rooms = Format.ReadItems<Room>(new Pieces(bytes, piece)).ToList();
            rooms.Select(room => room.Name).Should().Equal("</room>", "", "");
            rooms[2].Children.Should().HaveCount(1);
        }
    }

    [Fact]
    public async Task Writes_what_the_format_writes()
    {
        var (sync, async, fromAsync) = (new MemoryStream(), new MemoryStream(), new MemoryStream());

        Format.WriteItems(sync, Numbers);
        await Format.WriteItemsAsync(async, Numbers);
        await Format.WriteItemsAsync(fromAsync, Numbers.ToAsyncEnumerable());

        sync.ToArray().Should().Equal(JsonFormatTests.Written(Format, Numbers));
        async.ToArray().Should().Equal(sync.ToArray());
        fromAsync.ToArray().Should().Equal(sync.ToArray());
        XDocument.Parse(Encoding.UTF8.GetString(sync.ToArray())).Root!.Elements("item").Select(item => (int)item).Should().Equal(Numbers);
    }

    [Theory]
    [InlineData("<a/>")]
    [InlineData("<a></a>")]
    [InlineData("<a> <!-- x --> </a>")]
    public void Reads_an_empty_array(string xml) => Items(xml).Should().BeEmpty();

    [Theory]
    [InlineData("")]
    [InlineData("<a>")]
    [InlineData("<a><b>1</b>")]
    [InlineData("<a><b>1</b></c>")]
    [InlineData("<a><b>1</c></a>")]
    [InlineData("<a><b>1</b></a><a/>")]
    [InlineData("<a><b>1</b>x<b>1</b></a>")]
    [InlineData("<a>1</a>")]
    public void Refuses_a_broken_document(string xml)
    {
        var read = () => Items(xml);

        read.Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public void Errors_have_the_offset_in_the_stream()
    {
        var xml = $"<a>{string.Concat(Enumerable.Repeat("<b>1</b>", 30_000))}<b>x</b></a>";
        var read = () => Format.ReadItems<int>(new MemoryStream(Encoding.UTF8.GetBytes(xml))).Count();

        read.Should().Throw<CoapPayloadException>().Which.Offset.Should().Be(3 + (30_000 * 8));
    }

    [Fact]
    public void Limits_apply_to_each_item_and_not_to_the_array()
    {
        var format = new XmlFormat(RoomContracts.Default, new PayloadLimits { MaxSize = 100_000, MaxCount = 3 });
        var large = Encoding.UTF8.GetBytes($"<a><b>{new string('1', 300_000)}</b></a>");

        format.ReadItems<int>(new MemoryStream(JsonFormatTests.Written(Format, Numbers))).Should().HaveCount(20_000);
        FluentActions.Invoking(() => format.ReadItems<string>(new MemoryStream(large)).Count()).Should().Throw<CoapPayloadException>();
        FluentActions.Invoking(() => format.ReadItems<int[]>(new MemoryStream("<a><b><c>1</c><c>1</c><c>1</c><c>1</c></b></a>"u8.ToArray())).Count())
            .Should().Throw<CoapPayloadException>().WithMessage("The element has more than 3 items*(at byte 30).");
    }

    [Fact]
    public void A_large_array_needs_no_memory()
    {
        var bytes = Encoding.UTF8.GetBytes($"<a>{string.Concat(Enumerable.Repeat("<b>123456</b>", 500_000))}</a>");
        _ = Format.ReadItems<int>(new MemoryStream(bytes)).Count();
        var before = GC.GetAllocatedBytesForCurrentThread();

        Format.ReadItems<int>(new MemoryStream(bytes)).Sum(item => (long)item).Should().Be(61_728_000_000);

        (GC.GetAllocatedBytesForCurrentThread() - before).Should().BeLessThan(600_000);
    }

    private static List<int> Items(string xml) => [.. Format.ReadItems<int>(new Pieces(Encoding.UTF8.GetBytes(xml), 2))];
}
