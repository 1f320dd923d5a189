namespace CoAP.Uris;

public class CoapUriResolvingTests
{
    // The examples of RFC 3986, sections 5.4.1 and 5.4.2, with a CoAP scheme and without ";p" and fragments in the base.
    [Theory]
    [InlineData("g", "coap://a/b/c/g")]
    [InlineData("./g", "coap://a/b/c/g")]
    [InlineData("g/", "coap://a/b/c/g/")]
    [InlineData("/g", "coap://a/g")]
    [InlineData("//g", "coap://g/")]
    [InlineData("?y", "coap://a/b/c/d;p?y")]
    [InlineData("g?y", "coap://a/b/c/g?y")]
    [InlineData(";x", "coap://a/b/c/;x")]
    [InlineData("g;x", "coap://a/b/c/g;x")]
    [InlineData("g;x?y", "coap://a/b/c/g;x?y")]
    [InlineData("", "coap://a/b/c/d;p?q")]
    [InlineData(".", "coap://a/b/c/")]
    [InlineData("./", "coap://a/b/c/")]
    [InlineData("..", "coap://a/b/")]
    [InlineData("../", "coap://a/b/")]
    [InlineData("../g", "coap://a/b/g")]
    [InlineData("../..", "coap://a/")]
    [InlineData("../../", "coap://a/")]
    [InlineData("../../g", "coap://a/g")]
    [InlineData("../../../g", "coap://a/g")]
    [InlineData("../../../../g", "coap://a/g")]
    [InlineData("/./g", "coap://a/g")]
    [InlineData("/../g", "coap://a/g")]
    [InlineData("g.", "coap://a/b/c/g.")]
    [InlineData(".g", "coap://a/b/c/.g")]
    [InlineData("g..", "coap://a/b/c/g..")]
    [InlineData("..g", "coap://a/b/c/..g")]
    [InlineData("./../g", "coap://a/b/g")]
    [InlineData("./g/.", "coap://a/b/c/g/")]
    [InlineData("g/./h", "coap://a/b/c/g/h")]
    [InlineData("g/../h", "coap://a/b/c/h")]
    [InlineData("g;x=1/./y", "coap://a/b/c/g;x=1/y")]
    [InlineData("g;x=1/../y", "coap://a/b/c/y")]
    [InlineData("g?y/./x", "coap://a/b/c/g?y/./x")]
    [InlineData("g?y/../x", "coap://a/b/c/g?y/../x")]
    [InlineData("coap+tcp://h:7/x/../y", "coap+tcp://h:7/y")]
    [InlineData("//[::1]:9/z", "coap://[::1]:9/z")]
    [Trait("RFC", "3986 5.4")]
    public void Resolves_references(string reference, string expected)
    {
        CoapUri.Parse("coap://a/b/c/d;p?q").Resolve(reference).ToString().Should().Be(expected);
    }

    [Fact]
    public void Resolves_against_a_base_without_a_path_and_keeps_port_and_zone()
    {
        var home = CoapUri.Parse("coap+tcp://[fe80::1%25lo]:99?q");

        home.Resolve("g").ToString().Should().Be("coap+tcp://[fe80::1%25lo]:99/g");
        home.Resolve("").Should().Be(home);
        home.Resolve("//h").ToString().Should().Be("coap+tcp://h/");
    }

    [Theory]
    [InlineData("g#s", "*fragment \"#s\" at position 1*")]
    [InlineData("#s", "*fragment \"#s\" at position 0*")]
    [InlineData("http://h/", "*scheme \"http\"*")]
    [InlineData("a:b", "*scheme \"a\"*")]
    [InlineData("a/%G0", "*\"%G0\" at position 2*")]
    [InlineData("///a", "*host at position 2 is empty*")]
    [Trait("RFC", "7252 6.4")]
    public void Refuses_references_that_lead_nowhere(string reference, string message)
    {
        var act = () => CoapUri.Parse("coap://a/").Resolve(reference);

        act.Should().Throw<FormatException>().WithMessage(message);
    }
}
