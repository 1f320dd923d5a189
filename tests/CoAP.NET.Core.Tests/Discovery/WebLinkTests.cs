namespace CoAP.Discovery;

public class WebLinkTests
{
    [Fact]
    [Trait("RFC", "6690 3")]
    public void Shows_what_is_said_about_the_target()
    {
        var link = LinkFormat.Parse("</s>;rt=\"a  b\";if=sensor;sz=1280;ct=50;obs;title=\"S\";anchor=\"/x\";rel=\"item up\"").Single();

        link.ResourceTypes.Should().Equal("a", "b");
        link.Interfaces.Should().Equal("sensor");
        link.Relations.Should().Equal("item", "up");
        link.ContentFormats.Should().Equal(50);
        (link.Size, link.IsObservable, link.Title, link.Anchor).Should().Be((1280L, true, "S", "/x"));
        link.Has("obs").Should().BeTrue();
        link["obs"].Should().BeNull();
    }

    [Fact]
    [Trait("RFC", "6690 2.2")]
    public void Missing_attributes_have_defaults()
    {
        var link = new WebLink("/s");

        link.Relations.Should().Equal("hosts");
        link.ResourceTypes.Should().BeEmpty();
        link.ContentFormats.Should().BeEmpty();
        (link.Size, link.IsObservable, link.Title, link.Anchor).Should().Be((null, false, null, null));
    }

    [Theory]
    [InlineData("title*=UTF-8'de'%C3%9Cbersicht;title=\"plain\"", "Übersicht")]
    [InlineData("title=\"plain\";title*=utf-8''a%20b", "a b")]
    [InlineData("title=\"plain\";title*=iso-8859-1''%DC", "plain")]
    [InlineData("title=\"plain\";title*=UTF-8''%DC", "plain")]
    [InlineData("title=\"plain\";title*=x", "plain")]
    [Trait("RFC", "6690 2")]
    public void Prefers_the_extended_title_where_it_can_be_read(string attributes, string title)
    {
        LinkFormat.Parse($"</s>;{attributes}").Single().Title.Should().Be(title);
    }

    [Fact]
    public void Is_equal_by_target_and_attributes()
    {
        var link = new WebLink("/s", new LinkAttribute("rt", "a"), new LinkAttribute("obs"));

        link.Should().Be(new WebLink("/s", new LinkAttribute("rt", "a"), new LinkAttribute("obs")));
        link.GetHashCode().Should().Be(new WebLink("/s", new LinkAttribute("rt", "a"), new LinkAttribute("obs")).GetHashCode());
        link.Should().NotBe(new WebLink("/s", new LinkAttribute("rt", "a")));
        link.Should().NotBe(new WebLink("/t", new LinkAttribute("rt", "a"), new LinkAttribute("obs")));
        link.ToString().Should().Be("</s>;rt=\"a\";obs");
    }

    [Theory]
    [InlineData("/a b", "rt", "x")]
    [InlineData("/a>", "rt", "x")]
    [InlineData("/a", "", "x")]
    [InlineData("/a", "r t", "x")]
    [InlineData("/a", "rt", "x\n")]
    public void Refuses_what_cannot_be_written(string target, string name, string value)
    {
        var act = () => new WebLink(target, new LinkAttribute(name, value));

        act.Should().Throw<ArgumentException>();
    }

    [Fact]
    [Trait("RFC", "7252 7.2.1")]
    public void Refuses_a_second_one_of_what_occurs_once()
    {
        var act = () => new WebLink("/a", new LinkAttribute("ct", "0"), new LinkAttribute("ct", "50"));

        act.Should().Throw<ArgumentException>().WithMessage("The attribute \"ct\" is repeated*");
    }

    [Fact]
    public void Leads_to_a_URI()
    {
        var target = LinkFormat.Parse("</sensors/a%20b?u=Cel>;rt=\"x\"").Single().Target;

        CoapUri.Parse("coap+tcp://h:9/.well-known/core?rt=x").Resolve(target).ToString().Should().Be("coap+tcp://h:9/sensors/a%20b?u=Cel");
    }
}
