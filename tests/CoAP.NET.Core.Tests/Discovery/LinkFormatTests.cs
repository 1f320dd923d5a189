using System.Text;

namespace CoAP.Discovery;

public class LinkFormatTests
{
    [Fact]
    [Trait("RFC", "6690 5"), Trait("RFC", "6690 2.3")]
    public void Reads_the_example_of_the_RFC()
    {
        const string text = """
            </sensors>;ct=40;title="Sensor Index",
            </sensors/temp>;rt="temperature-c";if="sensor",
            </sensors/light>;rt="light-lux core.sen-light";if="sensor",
            <http://www.example.com/sensors/t123>;anchor="/sensors/temp"
            ;rel="describedby",
            </t>;anchor="/sensors/temp";rel="alternate"
            """;

        var links = LinkFormat.Parse(text);

        links.Should().Equal(
            new WebLink("/sensors", new("ct", "40"), new("title", "Sensor Index")),
            new WebLink("/sensors/temp", new("rt", "temperature-c"), new("if", "sensor")),
            new WebLink("/sensors/light", new("rt", "light-lux core.sen-light"), new("if", "sensor")),
            new WebLink("http://www.example.com/sensors/t123", new("anchor", "/sensors/temp"), new("rel", "describedby")),
            new WebLink("/t", new("anchor", "/sensors/temp"), new("rel", "alternate")));
    }

    [Theory]
    [InlineData("")]
    [InlineData("</sensors/temp>;if=\"sensor\",</sensors/light>;if=\"sensor\"")]
    [InlineData("</firmware/v2.1>;rt=\"firmware\";sz=262144")]
    [InlineData("</sensors>;ct=40;title=\"Sensor Index\"")]
    [InlineData("</a>;obs;ct=\"0 50 60\"")]
    [InlineData("</a>;title*=UTF-8'de'%C3%9Cbersicht;hreflang=de;hreflang=en")]
    [InlineData("<>;title=\"a \\\"b\\\" \\\\ c, d; <e>\"")]
    [InlineData("</a>;title=\"\";foo=\"\";bar=12;title*=x")]
    [InlineData("</a>;title=\"12\";rt=\"12\"")]
    [Trait("RFC", "6690 2")]
    public void Writes_what_it_read(string text)
    {
        var links = LinkFormat.Parse(text);

        LinkFormat.Format(links).Should().Be(text);
        LinkFormat.Parse(LinkFormat.Serialize(links)).Should().Equal(links);
    }

    [Theory]
    [InlineData(" </a> ; rt = x , \r\n </b>\t", "</a>;rt=\"x\",</b>")]
    [InlineData("</a>;type=text/plain;x=<=>", "</a>;type=\"text/plain\";x=\"<=>\"")]
    [InlineData("</a>;title=\"\\a\\b\"", "</a>;title=\"ab\"")]
    [InlineData("</a>;rel=x;rel=y;title=1;title=2;obs;obs", "</a>;rel=\"x\";title=\"1\";obs;obs")]
    [InlineData("</ä>;title=\"ß\"", "</ä>;title=\"ß\"")]
    [InlineData("</a>;title*=\"x y\"", "</a>;title*=\"x y\"")]
    public void Tolerates_deviations_that_are_unambiguous(string text, string meaning)
    {
        LinkFormat.Format(LinkFormat.Parse(text)).Should().Be(meaning);
    }

    [Theory]
    [InlineData("a", "Expected a \"<\"* at position 0; found 'a'.")]
    [InlineData("</a", "Expected the \">\"* at position 3; found the end.")]
    [InlineData("</a b>", "Expected the \">\"* at position 3; found ' '.")]
    [InlineData("</a>,", "Expected a \"<\"* at position 5; found the end.")]
    [InlineData(",</a>", "Expected a \"<\"* at position 0; found ','.")]
    [InlineData("</a></b>", "Expected a \",\"* at position 4; found '<'.")]
    [InlineData("\0", "Expected* at position 0; found U+0000.")]
    public void Says_what_is_wrong_and_where(string text, string message)
    {
        var act = () => LinkFormat.Parse(text);

        act.Should().Throw<FormatException>().WithMessage(message);
    }

    [Theory]
    [InlineData(";")]
    [InlineData(";;")]
    [InlineData(";=x")]
    [InlineData(";*=x")]
    [InlineData(";a*b=x")]
    [InlineData(";rt=")]
    [InlineData(";rt=a b")]
    [InlineData(";rt=ä")]
    [InlineData(";rt=\"a\n;b\"")]
    [InlineData(";rt=\"a,\\\u0001\"")]
    [InlineData(";rt=\"a\"b")]
    [InlineData(";rt=\"a\\\";\"x\"")]
    [Trait("RFC", "6690 2")]
    public void A_malformed_attribute_is_skipped_and_the_rest_is_read(string attribute)
    {
        LinkFormat.Format(LinkFormat.Parse($"<a>{attribute};if=x,</b>;sz=1")).Should().Be("<a>;if=\"x\",</b>;sz=1");
        LinkFormat.Format(LinkFormat.Parse($"</b>;sz=1,<a>;if=x{attribute}")).Should().Be("</b>;sz=1,<a>;if=\"x\"");
    }

    [Theory]
    [InlineData("<a>;if=x;rt=\"y;sz=1,</b>", "<a>;if=\"x\";sz=1,</b>")]
    [InlineData("<a>;rt=\"y", "<a>")]
    [InlineData("<a>;rt=\"y\\", "<a>")]
    [InlineData("<a>;rt=\"y\\\",</b>", "<a>,</b>")]
    [Trait("RFC", "6690 2")]
    public void A_quote_that_is_not_closed_ends_with_its_attribute(string text, string meaning)
    {
        LinkFormat.Format(LinkFormat.Parse(text)).Should().Be(meaning);
    }

    [Theory]
    [InlineData("rt"), InlineData("if"), InlineData("sz"), InlineData("ct"), InlineData("anchor"), InlineData("rel"), InlineData("title")]
    [Trait("RFC", "6690 3"), Trait("RFC", "6690 2.2"), Trait("RFC", "6690 2.3")]
    public void The_first_of_a_repeated_attribute_counts(string name)
    {
        LinkFormat.Parse($"</a>;{name}=1;{name}=2").Should().Equal(new WebLink("/a", new LinkAttribute(name, "1")));
    }

    [Fact]
    [Trait("RFC", "7252 7.2.1")]
    public void Has_the_content_formats_once_in_a_link()
    {
        LinkFormat.Parse("</a>;ct=40;ct=41").Single().ContentFormats.Should().Equal(40);
        LinkFormat.Parse("</a>;ct=40,</b>;ct=\"41 42  x 65535 65536\"").Select(link => link.ContentFormats)
            .Should().BeEquivalentTo(new uint[][] { [40], [41, 42, 65535] }, order => order.WithStrictOrdering());
    }

    [Fact]
    public void Refuses_a_payload_that_is_not_UTF8()
    {
        LinkFormat.TryParse([(byte)'<', 0xC3, (byte)'>'], out _, out var error).Should().BeFalse();

        error.Should().Be("The links are not UTF-8.");
    }

    [Fact]
    public void Survives_any_bytes_and_writes_what_it_accepts()
    {
        const int seed = 6690;
        var random = new Random(seed);
        var alphabet = Encoding.UTF8.GetBytes("<<>>;;,,==\"\"\\  /abrtct*0123\u00e4\n\0");
        var accepted = 0;
        for (var round = 0; round < 50_000; round++)
        {
            var payload = round % 2 == 0 ? random.GetItems(alphabet, random.Next(20)) : Mutated(random);

            if (!LinkFormat.TryParse(payload, out var links, out var error))
            {
                error.Should().NotBeNullOrEmpty();
                continue;
            }

            accepted++;
            LinkFormat.Parse(LinkFormat.Serialize(links)).Should().Equal(links, "seed {0}, round {1}", seed, round);
        }
        accepted.Should().BeGreaterThan(1_000);
    }

    [Theory]
    [InlineData("<", "")]
    [InlineData("<>,", "<>")]
    [InlineData("<>;a=\"", "\\\\", "\"")]
    [InlineData("<>", ";a=\"\\")]
    [InlineData("<>;a=\"", "\\\";a=")]
    [InlineData("<>", ";=\"")]
    [InlineData("<>", ";a=\"\\\"\"")]
    [InlineData("<>", ";rt")]
    [InlineData("<>,", " ", "<>")]
    public void Answers_a_text_of_a_million_characters(string start, string repeated, string end = "")
    {
        var text = start + string.Concat(Enumerable.Repeat(repeated, 500_000)) + end;

        // With the square of the length this would take days: that the test ends is what it shows.
        var isAnswered = LinkFormat.TryParse(text, out _, out var error) || error.Length < 200;

        isAnswered.Should().BeTrue();
    }

    private static byte[] Mutated(Random random)
    {
        var payload = "</sensors>;ct=40;title=\"Sensor \\\"Index\",<t>;rel=x;obs;rt=\"a b\""u8.ToArray();
        for (var left = random.Next(4); left > 0; left--) { payload[random.Next(payload.Length)] = (byte)random.Next(256); }
        return payload[..random.Next(payload.Length / 2, payload.Length + 1)];
    }
}
