namespace CoAP.Discovery;

public class LinkFilterTests
{
    private static readonly IReadOnlyList<WebLink> Links = LinkFormat.Parse("""
        </sensors>;ct=40;title="Sensor Index",
        </sensors/temp>;rt="temperature-c";if="sensor";obs;foo="bar",
        </sensors/light>;rt="light-lux core.sen-light";if="sensor";ct="40 50";foo="barley",
        </t>;anchor="/sensors/temp";rel="alternate item";foo="",
        </firmware>;sz=262144
        """);

    [Theory]
    [InlineData("rt=temperature-c", "/sensors/temp")]
    [InlineData("rt=light-lux", "/sensors/light")]
    [InlineData("rt=core.sen-light", "/sensors/light")]
    [InlineData("rt=core*", "/sensors/light")]
    [InlineData("rt=light-lux core.sen-light", "/sensors/light")]
    [InlineData("rt=temperature", "")]
    [InlineData("rt=*", "/sensors/temp /sensors/light")]
    [InlineData("if=sensor", "/sensors/temp /sensors/light")]
    [InlineData("foo=bar", "/sensors/temp")]
    [InlineData("foo=bar*", "/sensors/temp /sensors/light")]
    [InlineData("foo=*", "/sensors/temp /sensors/light /t")]
    [InlineData("foo=", "/t")]
    [InlineData("foo", "/sensors/temp /sensors/light /t")]
    [InlineData("obs", "/sensors/temp")]
    [InlineData("obs=*", "/sensors/temp")]
    [InlineData("ct=40", "/sensors /sensors/light")]
    [InlineData("ct=5", "")]
    [InlineData("sz=262144", "/firmware")]
    [InlineData("title=Sensor", "")]
    [InlineData("title=Sensor*", "/sensors")]
    [InlineData("anchor=/sensors/temp", "/t")]
    [InlineData("href=/sensors", "/sensors")]
    [InlineData("href=/sensors/*", "/sensors/temp /sensors/light")]
    [InlineData("href=*", "/sensors /sensors/temp /sensors/light /t /firmware")]
    [InlineData("rel=item", "/t")]
    [InlineData("rel=hosts", "/sensors /sensors/temp /sensors/light /firmware")]
    [InlineData("unknown=*", "")]
    [InlineData("RT=temperature-c", "")]
    [InlineData("", "/sensors /sensors/temp /sensors/light /t /firmware")]
    [Trait("RFC", "6690 4.1")]
    public void Chooses_by_one_condition(string argument, string targets)
    {
        var chosen = new LinkFilter([argument]).Apply(Links);

        chosen.Select(link => link.Target).Should().Equal(targets.Split(' ', StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public void Asks_for_all_conditions_at_once()
    {
        new LinkFilter(["if=sensor", "rt=light*"]).Apply(Links).Select(link => link.Target).Should().Equal("/sensors/light");
        new LinkFilter(["if=sensor", "rt=none"]).Apply(Links).Should().BeEmpty();
        new LinkFilter([]).Apply(Links).Should().Equal(Links);
    }
}
