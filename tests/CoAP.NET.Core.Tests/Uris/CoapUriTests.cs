namespace CoAP.Uris;

public class CoapUriTests
{
    [Theory]
    [InlineData("coap://example.com:5683/~sensors/temp.xml")]
    [InlineData("coap://EXAMPLE.com/%7Esensors/temp.xml")]
    [InlineData("coap://EXAMPLE.com:/%7esensors/temp.xml")]
    [Trait("RFC", "7252 6.3")]
    public void Normalizes_the_equivalent_URIs_of_the_RFC(string text)
    {
        var uri = CoapUri.Parse(text);

        uri.ToString().Should().Be("coap://example.com/~sensors/temp.xml");
        uri.Should().Be(CoapUri.Parse("coap://example.com/~sensors/temp.xml"));
        uri.GetHashCode().Should().Be(CoapUri.Parse("coap://example.com/~sensors/temp.xml").GetHashCode());
    }

    [Theory]
    [InlineData("coap://a", "coap://a/")]
    [InlineData("coap://a?", "coap://a/?")]
    [InlineData("coap://a:5684/%2f%3F%23?%26&%2F", "coap://a:5684/%2F%3F%23?%26&/")]
    [InlineData("coaps://a:5684", "coaps://a/")]
    [InlineData("coap://a/!$&'()*+,;=:@?!$'()*+,;=:@/?", "coap://a/!$&'()*+,;=:@?!$'()*+,;=:@/?")]
    [InlineData("coap://a/./b/../c/%2e%2E/d/.", "coap://a/d/")]
    [InlineData("coap://a/..", "coap://a/")]
    [InlineData("coap://a/../../b/..", "coap://a/")]
    [InlineData("coap://a//..", "coap://a/")]
    [InlineData("coap://a//../b", "coap://a/b")]
    [InlineData("coap://a/...", "coap://a/...")]
    [Trait("RFC", "7252 6.3")]
    public void Writes_the_normal_form(string text, string normal)
    {
        var uri = CoapUri.Parse(text);

        uri.ToString().Should().Be(normal);
        CoapUri.Parse(normal).Should().Be(uri);
    }

    [Theory]
    [InlineData("coap://a/b", "coaps://a/b")]
    [InlineData("coap://a/b", "coap+tcp://a/b")]
    [InlineData("coap://a/b", "coap://a/B")]
    [InlineData("coap://a/b", "coap://a/b/")]
    [InlineData("coap://a/b", "coap://a/b?")]
    [InlineData("coap://a/b", "coap://b/b")]
    [InlineData("coap://a/b", "coap://a:1/b")]
    [InlineData("coap://a/b?c&d", "coap://a/b?d&c")]
    [InlineData("coap://a/b/c", "coap://a/b%2Fc")]
    [InlineData("coap://a/?b&c", "coap://a/?b%26c")]
    [InlineData("coap://a/b?c", "coap://a/b/?c")]
    public void Tells_different_resources_apart(string one, string other)
    {
        CoapUri left = CoapUri.Parse(one), right = CoapUri.Parse(other);

        (left == right).Should().BeFalse();
        (left != right).Should().BeTrue();
    }

    [Fact]
    public void Shows_path_and_query_decoded_and_encoded()
    {
        var uri = CoapUri.Parse("coap://h/a%20b/%2F?x=%26&y");

        uri.PathSegments.Should().Equal("a b", "/");
        uri.QueryArguments.Should().Equal("x=&", "y");
        uri.Path.Should().Be("/a%20b/%2F");
        uri.Query.Should().Be("?x=%26&y");
        CoapUri.Parse("coap://h").Query.Should().BeEmpty();
        CoapUri.Parse("coap://h").Path.Should().Be("/");
    }

    [Fact]
    public void Never_throws_but_for_what_it_is_documented_to_throw()
    {
        const int seed = 20260301;
        const string alphabet = "coap+tcps:////[]@%25:?#.&=aZ09 ~\u00e4\ud83d\ude00\0";
        var random = new Random(seed);
        for (var round = 0; round < 20_000; round++)
        {
            var text = (random.Next(3) == 0 ? "" : "coap://") + new string(random.GetItems<char>(alphabet, random.Next(40)));

            var isUri = CoapUri.TryParse(text, out var uri, out var error);

            (isUri ? error is null : error?.Length > 10).Should().BeTrue("seed {0}, \"{1}\"", seed, text);
            if (isUri) { CoapUri.Parse(uri!.ToString()).Should().Be(uri, "seed {0}, \"{1}\"", seed, text); }
        }
    }
}
