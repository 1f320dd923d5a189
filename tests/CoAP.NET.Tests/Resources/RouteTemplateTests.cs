using CoAP.Options;

namespace CoAP.Tests.Resources;

public sealed class RouteTemplateTests
{
    [Theory]
    [InlineData("sensors/{}", "*a placeholder has no name*")]
    [InlineData("sensors/{*}", "*a placeholder has no name*")]
    [InlineData("{id}/x/{id}", "*placeholder 'id' occurs twice*")]
    [InlineData("{id}/{*id}", "*placeholder 'id' occurs twice*")]
    [InlineData("{*path}/x", "*'{*path}' is not the last segment*")]
    [InlineData("{*a}/{*b}", "*'{*a}' is not the last segment*")]
    [InlineData("a/x{id}", "*'x{id}' mixes text and braces*")]
    [InlineData("a/{id", "*'{id' mixes text and braces*")]
    [InlineData("a/}", "*'}' mixes text and braces*")]
    [InlineData("a?b=c", "*segment 'a?b=c' contains a '?', but a template has no query; map the path, and read arguments with request.Query(name).*")]
    [InlineData("{a b}", "*the name 'a b'*")]
    [InlineData("{{a}}", "*the name '{a}'*")]
    [InlineData("a/../b", "*segment '..'*section 5.10.1*")]
    [InlineData(".", "*segment '.'*section 5.10.1*")]
    [InlineData("coap://host/sensors", "*it is a URI*path alone*")]
    public void Refuses_a_wrong_template_and_says_why(string template, string message)
    {
        var map = new ResourceMap();

        var mapping = () => map.At(template);

        mapping.Should().Throw<ArgumentException>().WithParameterName(nameof(template))
            .WithMessage($"Template '{template}' cannot be mapped: {message}");
    }

    [Fact]
    [Trait("RFC", "7252 5.10")]
    public void Refuses_a_segment_that_no_option_can_hold()
    {
        var map = new ResourceMap();

        var longest = () => map.At(new string('a', 255));
        var tooLong = () => map.At("a/" + new string('ä', 128));
        var notUtf8 = () => map.At("a/\ud800");

        longest.Should().NotThrow();
        tooLong.Should().Throw<ArgumentException>().WithMessage("*256 bytes*at most 255*");
        notUtf8.Should().Throw<ArgumentException>().WithMessage("*surrogate*");
    }

    [Fact]
    public void Refuses_more_than_255_segments()
    {
        var map = new ResourceMap();

        var most = () => map.At(string.Join("/", Enumerable.Repeat("a", 255)));
        var tooMany = () => map.At(string.Join("/", Enumerable.Repeat("a", 256)));

        most.Should().NotThrow();
        tooMany.Should().Throw<ArgumentException>().WithMessage("*256 segments; at most 255*");
    }

    [Theory]
    [InlineData("sensors/{id}", "/sensors/7", "id", "7")]
    [InlineData("{a}/{b}/{c}", "/x/y/z", "a", "x")]
    [InlineData("{a}/{b}/{c}", "/x/y/z", "c", "z")]
    [InlineData("sensors/{id}", "/sensors/Größe 1", "id", "Größe 1")]
    [InlineData("files/{*path}", "/files/a", "path", "a")]
    [InlineData("files/{*path}", "/files/a/b/c", "path", "a/b/c")]
    [InlineData("files/{*path}", "/files/", "path", "")]
    [InlineData("files/{*path}", "/files//a/", "path", "/a/")]
    [InlineData("{device}/files/{*path}", "/d1/files/x/y", "device", "d1")]
    public void Reads_the_value_of_a_placeholder(string template, string path, string name, string value)
    {
        var map = new ResourceMap();
        map.At(template);

        var request = Requests.Routed(map, path);

        request[name].Should().Be(value);
    }

    [Fact]
    public void Reads_a_value_between_other_options_and_behind_long_ones()
    {
        var map = new ResourceMap();
        map.At("{a}/{*rest}");
        var longest = new string('x', 255);

        var path = Requests.Path($"/{longest}/{longest}/{longest}/{longest}");
        var request = Requests.Routed(map, Requests.Message(RequestCode.Get, [new UriHost("h"), .. path, new UriQuery("q")], default));

        request["a"].Should().Be(longest);
        request["rest"].Should().Be($"{longest}/{longest}/{longest}");
    }

    [Fact]
    public void Names_the_placeholders_where_an_unknown_one_is_asked_for()
    {
        var map = new ResourceMap();
        map.At("a/{first}/{*rest}");
        map.At("plain");

        var unknown = () => Requests.Routed(map, "/a/b/c")["Last"];
        var none = () => Requests.Routed(map, "/plain")["id"];

        unknown.Should().Throw<ArgumentException>().WithMessage("'/a/{first}/{*rest}' has no placeholder 'Last'; it has 'first', 'rest'.*");
        none.Should().Throw<ArgumentException>().WithMessage("'/plain' has no placeholder 'id'; it has none.*");
    }

    [Theory]
    [InlineData("", "/", true)]
    [InlineData("", "/a", false)]
    [InlineData("a", "/", false)]
    [InlineData("a/b", "/a/b", true)]
    [InlineData("a/b", "/a", false)]
    [InlineData("a/b", "/a/b/c", false)]
    [InlineData("a/", "/a/", true)]
    [InlineData("a/{id}", "/a/7", true)]
    [InlineData("a/{id}", "/a/", false)]
    [InlineData("a/{id}", "/a/..", false)]
    [InlineData("a/{id}", "/b/7", false)]
    [InlineData("a/{id}", "/a/7/8", true)]        // the value may be "7/8"
    [InlineData("a/{id}", "/b/7/8", false)]
    [InlineData("a/{id}/c", "/a/7/8/c", true)]
    [InlineData("a/{id}/c", "/a/7/8/d", false)]
    [InlineData("a/{id:int}", "/a/7", true)]
    [InlineData("a/{id:int}", "/a/x", false)]
    [InlineData("a/{*rest}", "/a/", true)]
    [InlineData("a/{*rest}", "/a/b/c", true)]
    [InlineData("a/{*rest}", "/a", false)]
    [InlineData("{*rest}", "/", true)]            // one empty segment
    public void Knows_the_paths_of_a_template_in_one_text(string template, string path, bool canMatch) =>
        new ResourceMap().At(template).Route.CanMatch(path).Should().Be(canMatch);

    [Fact]
    public void Has_no_values_for_a_request_that_was_not_routed()
    {
        var request = Requests.Unrouted("/a");

        var read = () => request["id"];

        read.Should().Throw<InvalidOperationException>().WithMessage("*not routed*'id'*");
    }
}
