using System.Text;
using CoAP.TestSupport;

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
    [InlineData("</a>x", "Expected a \",\"* at position 4; found 'x'.")]
    [InlineData("\u0001", "Expected* at position 0; found U+0001.")]
    [InlineData("</a>;title=\"Sensor", "Expected the '\"' that ends the value of the attribute at position 5 at position 18; found the end.")]
    [InlineData("</a>;ct=0</b>;sz=1", "Expected a \";\" or a \",\" behind the attribute at position 5 at position 9; found '<'.")]
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
    [Trait("RFC", "6690 2")]
    public void A_malformed_attribute_is_skipped_and_the_rest_is_read(string attribute)
    {
        LinkFormat.Format(LinkFormat.Parse($"<a>{attribute};if=x,</b>;sz=1")).Should().Be("<a>;if=\"x\",</b>;sz=1");
        LinkFormat.Format(LinkFormat.Parse($"</b>;sz=1,<a>;if=x{attribute}")).Should().Be("</b>;sz=1,<a>;if=\"x\"");
    }

    // C: the comma is missing; T: trailing or leading separators; the meaning is what both sides agree on.
    [Theory]
    [InlineData("</a>;ct=0\n</b>;sz=1", "</a>;ct=0|</b>;sz=1")]
    [InlineData("</a>;rt=\"x\"\r\n</b>;rt=\"y\";obs\r\n</c>;ct=50", "</a>;rt=\"x\"|</b>;rt=\"y\";obs|</c>;ct=50")]
    [InlineData("</a>;obs\n</b>;sz=1,</c>", "</a>;obs|</b>;sz=1|</c>")]
    [InlineData("</a>\n</b>;sz=1", "</a>|</b>;sz=1")]
    [InlineData("</a></b>;sz=1", "</a>|</b>;sz=1")]
    [InlineData("</a>;rt=\"x\"</b>;sz=1", "</a>;rt=\"x\"|</b>;sz=1")]
    [InlineData("</a>;if=x;rt=a b\n</b>;sz=1", "</a>;if=\"x\"|</b>;sz=1")]
    [InlineData("</a>;sz=1,", "</a>;sz=1")]
    [InlineData("</a>;sz=1 , \r\n", "</a>;sz=1")]
    [InlineData(",,</a>;sz=1,,</b>", "</a>;sz=1|</b>")]
    [InlineData("</a>;sz=1\0", "</a>;sz=1")]
    [InlineData("</a>;rt=\"x\",\0\0", "</a>;rt=\"x\"")]
    [InlineData("</a>\0,</b>\0", "</a>|</b>")]
    [InlineData("\0", "")]
    [InlineData("\uFEFF</a>", "</a>")]
    [InlineData("</a>;ct=0 50  60;sz=1,</b>;ct=40 41", "</a>;ct=\"0 50  60\";sz=1|</b>;ct=\"40 41\"")]
    [Trait("RFC", "6690 2")]
    public void Deviations_that_are_unambiguous_lose_nothing(string text, string meaning)
    {
        string.Join('|', LinkFormat.Parse(text).Select(link => LinkFormat.Format([link]))).Should().Be(meaning);
    }

    [Theory]
    [InlineData("</a>;ct=0</b>;sz=1,</c>;sz=2", "</c>;sz=2", "*found '<'*")]
    [InlineData("</a>;if=x;rt=a b </b>;sz=1,</c>;sz=2", "</c>;sz=2", "*found '<'*")]
    [InlineData("</a>;sz=1,</b>;title=\"Sensor", "</a>;sz=1", "*'\"' that ends the value*found the end*")]
    [InlineData("</a>;sz=1,</b>;title=\"Sensor, </c>;ct=40", "</a>;sz=1", "*'\"' that ends the value*")]
    [InlineData("</a>;sz=1,</b>;title=\"Sensor\\", "</a>;sz=1", "*'\"' that ends the value*")]
    [InlineData("<a>;if=x;rt=\"y;sz=1,</b>", "", "*'\"' that ends the value*")]
    [InlineData("<a>;rt=\"y\\\",</b>", "", "*'\"' that ends the value*")]
    [InlineData("</a>;sz=1,</b", "</a>;sz=1", "*the \">\" that ends a target*found the end*")]
    [InlineData("</a>;sz=1,<", "</a>;sz=1", "*the \">\" that ends a target*")]
    [InlineData("</a b>;ct=40,</c>;sz=2", "</c>;sz=2", "*the \">\" that ends a target*found ' '*")]
    [InlineData("</a\n</b>;sz=1", "</b>;sz=1", "*the \">\" that ends a target*found U+000A*")]
    [InlineData("</a;rt=\"x,<\",</b>;sz=1", "</b>;sz=1", "*the \">\" that ends a target*")]
    [InlineData("/a>;ct=40,</b>;sz=1", "</b>;sz=1", "*a \"<\" before the target*found '/'*")]
    [InlineData("</a>;title=\"x\n</b>;ct=40,</c>;title=\"y\"", "</b>;ct=40|</c>;title=\"y\"", "*behind the attribute at position 5*")]
    [InlineData("</a>;title=\"x,</b>;title=\"y\";ct=40", "</b>;title=\"y\";ct=40", "*behind the attribute at position 5*")]
    [InlineData("</a>;title=\"5\" TV\",</b>;rt=\"x\"", "</b>;rt=\"x\"", "*behind the attribute at position 5*")]
    [InlineData("</a>;title=\"x\n</b>;ct=40", "</b>;ct=40", "*behind the attribute at position 5*")]
    [InlineData("</a>;rt=\"a\\\";\"x\";sz=1,</b>", "</b>", "*behind the attribute at position 5*")]
    [Trait("RFC", "6690 2")]
    public void A_wrong_link_is_skipped_and_reported_and_none_of_its_attributes_gets_to_another_link(string text, string meaning, string error)
    {
        var errors = new List<string>();

        var links = LinkFormat.Read(Encoding.UTF8.GetBytes(text), errors.Add).ToList();

        string.Join('|', links.Select(link => LinkFormat.Format([link]))).Should().Be(meaning);
        errors.Should().ContainSingle().Which.Should().Match(error);
        LinkFormat.TryParse(text, out _, out var first).Should().BeFalse();
        first.Should().Be(errors[0]);
    }

    // Whatever happens to separators and quotes: an attribute that names its link is never found at another one.
    [Fact]
    public void No_attribute_gets_to_another_link_when_characters_are_lost_or_added()
    {
        var random = new Random(28);
        var whole = string.Join(",\n", Enumerable.Range(0, 6).Select(number => $"</{number}>;rt=\"r{number}\";sz=1{number};title=\"a {number}\";obs"));
        for (var round = 0; round < 20_000; round++)
        {
            var text = new StringBuilder(whole);
            for (var left = random.Next(1, 4); left > 0; left--)
            {
                var at = random.Next(text.Length);
                if (text[at] is ',' or '\n' or '"' or '>' or ';') { text.Remove(at, 1); }
                else if (random.Next(4) == 0) { text.Insert(at, "\n,\"\\ "[random.Next(5)]); }
            }
            if (random.Next(3) == 0) { text.Length = random.Next(text.Length); }

            foreach (var link in LinkFormat.Read(Encoding.UTF8.GetBytes(text.ToString()), static _ => { }))
            {
                foreach (var (name, value) in link.Attributes)
                {
                    if (name is not ("rt" or "sz") || value is not { Length: 2 } || !char.IsAsciiDigit(value[1])) { continue; }
                    link.Target.Should().Contain($"{value[1]}", "round {0}: {1}", round, text);
                }
            }
        }
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
    [InlineData("", "<a>;x=\\\",", "\n<b>")]
    public void Answers_a_text_of_a_million_characters(string start, string repeated, string end = "")
    {
        var text = start + string.Concat(Enumerable.Repeat(repeated, 500_000)) + end;

        // With the square of the length this would take days: that the test ends is what it shows.
        var isAnswered = LinkFormat.TryParse(text, out _, out var error) || error.Length < 200;

        isAnswered.Should().BeTrue();
    }

    [Fact]
    public void A_text_with_quotes_that_do_not_fit_is_not_searched_again_for_each_link()
    {
        var errors = new List<string>();
        var text = string.Concat(Enumerable.Repeat("<a>;x=\\\",", 2_000)) + "\n<b>";

        var links = LinkFormat.Read(Encoding.UTF8.GetBytes(text), errors.Add).ToList();

        errors.Should().HaveCountLessThan(10, "the search for the end of each wrong link goes through the whole text");
        links.Should().Equal(new WebLink("b"));
    }

    [Theory]
    [InlineData("", "<a>;x=\\\",", "\n<b>")]
    [InlineData("", "<a>;x=\\\",", "")]
    [InlineData("", "<a>;x y \",", "\n<b>")]
    [InlineData("", "<a>;x y \"\\\",", "\n<b>")]
    [InlineData("", "<a>;x y\n\",", "\n<b>")]
    [InlineData("", "<a>;\\\" <\",", "\n<b>")]
    [InlineData("<>;a=\"", "\\\";a=", "\n<b>")]
    [InlineData("", "<a>x,", "")]
    [InlineData("", "<a>;x y;", "")]
    public void Searches_look_at_each_character_a_limited_number_of_times(string start, string repeated, string end)
    {
        SearchedIn(start + string.Concat(Enumerable.Repeat(repeated, 2_000)) + end).Should().BeLessThanOrEqualTo(12);
    }

    [Fact]
    public void Searches_look_at_each_character_of_any_repeated_text_a_limited_number_of_times()
    {
        const string alphabet = "<<>>;;,,=\"\"\\\\ \nax";
        var random = new Random(36);
        for (var round = 0; round < 2_000; round++)
        {
            var repeated = new string(random.GetItems<char>(alphabet, random.Next(1, 12)));
            var end = new string(random.GetItems<char>(alphabet, random.Next(4)));

            var searched = SearchedIn(string.Concat(Enumerable.Repeat(repeated, 100)) + end + "\n<b>");

            searched.Should().BeLessThanOrEqualTo(12, "{0} | {1}", repeated, end);
        }
    }

    [Fact]
    public void A_quote_that_is_lost_in_each_line_costs_only_the_link_of_the_line()
    {
        var errors = new List<string>();
        var text = string.Concat(Enumerable.Repeat("</a>;title=\"x\n</b>;ct=40,\n", 2_000));

        var links = LinkFormat.Read(Encoding.UTF8.GetBytes(text), errors.Add).ToList();

        links.Should().Equal(Enumerable.Repeat(new WebLink("/b", new LinkAttribute("ct", "40")), 2_000));
        errors.Should().HaveCount(2_000);
    }

    [Fact]
    public void A_link_with_more_attributes_than_64_is_wrong_and_skipped()
    {
        var errors = new List<string>();
        var text = $"<a>{string.Concat(Enumerable.Repeat(";a", 65))},<b>{string.Concat(Enumerable.Repeat(";a", 64))}";

        var links = LinkFormat.Read(Encoding.UTF8.GetBytes(text), errors.Add).ToList();

        links.Should().ContainSingle().Which.Attributes.Should().HaveCount(64);
        errors.Should().Equal("Expected at most 64 attributes of a link, and a \",\" before the next link at position 132; found 'a'.");
    }

    [Fact]
    public void A_link_with_very_many_attributes_takes_little_more_memory_than_its_text()
    {
        var payload = Encoding.UTF8.GetBytes("<>" + string.Concat(Enumerable.Repeat(";a", 500_000)));
        var isParsed = true;

        var allocated = Allocations.Of(() => isParsed = LinkFormat.TryParse(payload, out _, out _));

        isParsed.Should().BeFalse();
        allocated.Should().BeLessThan(4L * payload.Length);
    }

    [Theory]
    [InlineData("rt"), InlineData("if"), InlineData("ct"), InlineData("sz"), InlineData("title"), InlineData("obs"), InlineData("anchor")]
    [InlineData("rel"), InlineData("title*"), InlineData("ep")]
    public void Links_share_the_strings_of_well_known_names(string name)
    {
        var links = LinkFormat.Parse($"<a>;{name}=x,<b>;{name}");

        links[0].Attributes[0].Name.Should().Be(name).And.BeSameAs(links[1].Attributes[0].Name);
    }

    [Fact]
    public void Links_that_take_too_much_memory_are_refused()
    {
        var text = string.Concat(Enumerable.Repeat("<>,", 1_000));
        var reader = new LinkReader(text);

        reader.TryReadAll([], maxMemory: 63_999).Should().BeFalse();
        new LinkReader(text).TryReadAll([], maxMemory: 64_000).Should().BeTrue();

        reader.Error.Should().Be("The links take too much memory; at most 63999 bytes are allowed (at position 2999).");
    }

    // 6 MB of text become two million links.
    [Fact]
    public void Every_method_that_returns_a_list_bounds_its_memory()
    {
        var text = string.Concat(Enumerable.Repeat("<>,", ((int)LinkFormat.MaxMemory / 64) + 1));

        LinkFormat.TryParse(text, out _, out var error).Should().BeFalse();
        FluentActions.Invoking(() => LinkFormat.Parse(Encoding.UTF8.GetBytes(text))).Should().Throw<FormatException>().WithMessage(error!);
        LinkFormat.TryParse(text.AsSpan(3), out var links, out _).Should().BeTrue();
        links.Should().HaveCount((int)LinkFormat.MaxMemory / 64);
        error.Should().StartWith($"The links take too much memory; at most {LinkFormat.MaxMemory} bytes are allowed");
    }

    [Fact]
    public void The_memory_of_a_link_grows_with_its_texts_and_attributes()
    {
        new WebLink("").Memory.Should().Be(64);
        new WebLink("/a", new LinkAttribute("obs"), new("ct", "40")).Memory.Should().Be(64 + 28 + 16 + 30 + 16 + 28 + 28);
    }

    // How often searches look at each character, on average.
    private static double SearchedIn(string text)
    {
        var reader = new LinkReader(text);
        while (!reader.TryReadNext(out var link) || link is not null) { reader = new LinkReader(text, reader.Progress); }
        return (double)reader.Progress.Searched / text.Length;
    }

    private static byte[] Mutated(Random random)
    {
        var payload = "</sensors>;ct=40;title=\"Sensor \\\"Index\",<t>;rel=x;obs;rt=\"a b\""u8.ToArray();
        for (var left = random.Next(4); left > 0; left--) { payload[random.Next(payload.Length)] = (byte)random.Next(256); }
        return payload[..random.Next(payload.Length / 2, payload.Length + 1)];
    }
}
