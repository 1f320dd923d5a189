using System.Diagnostics;
using System.Text;

namespace CoAP.Formats.Tests;

public sealed class XmlLimitsTests
{
    private static readonly PayloadLimits Small = new() { MaxDepth = 3, MaxSize = 100, MaxLength = 8, MaxCount = 3 };

    [Theory]
    [InlineData("<a><item><item><item/><item>1</item></item></item></a>")]
    [InlineData("<a><item>1</item><item>2</item><item>3</item></a>")]
    [InlineData("<a><b>1</b><c>2</c><d>12345678</d></a>")]
    public void Reads_what_just_fits(string xml) => Read<Tree>(xml, Small).Value.Should().NotBeNull();

    [Theory]
    [InlineData("<a><item><item><item><item/></item></item></item></a>", "The XML *")]
    [InlineData("<a><item>1</item><item>2</item><item>3</item><item>4</item></a>",
        "The element has more than 3 items; at most 3 are allowed (at byte 45).")]
    [InlineData("<a><b>1</b><c>2</c><d>3</d><e>4</e></a>", "The element has more than 3 items; at most 3 are allowed (at byte 27).")]
    [InlineData("<a>12345678x</a>", "The text has 9 bytes; at most 8 are allowed (at byte 0).")]
    [InlineData("<a>\u00e9\u00e9\u00e9\u00e9\u00e9</a>", "The text has 10 bytes; at most 8 are allowed (at byte 0).")]
    [InlineData("<a>                                                                                                </a>",
        "The payload has 103 bytes; *")]
    public void Refuses_what_does_not_fit(string xml, string message)
    {
        var read = () => Read<Tree>(xml, Small);

        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Fact]
    public void Skipped_elements_are_bounded_in_depth()
    {
        var xml = $"<a><unknown>{Repeat("<x>", 5_000)}{Repeat("</x>", 5_000)}</unknown></a>";
        var read = () => Read<Room>(xml, PayloadLimits.Default);

        read.Should().Throw<CoapPayloadException>().WithMessage("The XML exceeds a limit: 64 levels*");
    }

    [Fact]
    public void Thousands_of_attributes_are_refused_before_they_are_compared()
    {
        var xml = $"<a {string.Join(' ', Enumerable.Range(0, 100_000).Select(i => $"a{i}=''"))}/>";
        var start = Stopwatch.GetTimestamp();
        var read = () => Read<string>(xml, PayloadLimits.Default);

        read.Should().Throw<CoapPayloadException>().WithMessage("*4096 bytes in one tag*");
        Stopwatch.GetElapsedTime(start).Should().BeLessThan(TimeSpan.FromSeconds(5));
    }

    [Fact]
    public void Depths_up_to_the_limit_of_1000_are_read()
    {
        var limits = new PayloadLimits { MaxDepth = 1000 };
        var read = () => Read<Tree>(Nested(1002), limits);

        Read<Tree>(Nested(999), limits).Value.Should().NotBeNull();
        read.Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public void Offsets_cost_linear_time_however_many_lines_there_are()
    {
        var xml = $"<a>\n{Repeat("<b>\n1\n</b>\n", 300_000)}</a>";
        var start = Stopwatch.GetTimestamp();

        Read<List<float>>(xml, PayloadLimits.Default).Should().HaveCount(300_000);

        Stopwatch.GetElapsedTime(start).Should().BeLessThan(TimeSpan.FromSeconds(10));
    }

    [Fact]
    public void A_reader_that_has_seen_many_names_is_not_kept()
    {
        var format = new XmlFormat(PayloadContracts.Builtin);
        for (var round = 0; round < 20; round++)
        {
            var xml = $"<a>{string.Concat(Enumerable.Range(0, 10_000).Select(i => $"<n{round}_{i}>1</n{round}_{i}>"))}</a>";
            format.Read<Dictionary<string, int>>(Encoding.UTF8.GetBytes(xml)).Should().HaveCount(10_000);
        }
        XmlFormat.TakeReader().IsReusable.Should().BeTrue();
    }

    private static string Nested(int depth) => $"{Repeat("<item>", depth)}{Repeat("</item>", depth)}";

    private static string Repeat(string text, int count) => new StringBuilder().Insert(0, text, count).ToString();

    private static T Read<T>(string xml, PayloadLimits limits) => new XmlFormat(RoomContracts.Default, limits).Read<T>(Encoding.UTF8.GetBytes(xml));
}
