using System.Net;

namespace CoAP.Uris;

public class CoapUriParsingTests
{
    [Theory]
    [InlineData("coap://h/", CoapScheme.Coap, 5683)]
    [InlineData("coaps://h/", CoapScheme.Coaps, 5684)]
    [InlineData("coap+tcp://h/", CoapScheme.CoapTcp, 5683)]
    [InlineData("coaps+tcp://h/", CoapScheme.CoapsTcp, 5684)]
    [InlineData("coap+ws://h/", CoapScheme.CoapWs, 80)]
    [InlineData("coaps+ws://h/", CoapScheme.CoapsWs, 443)]
    [InlineData("CoAPS+Ws://h/", CoapScheme.CoapsWs, 443)]
    [Trait("RFC", "8323 8"), Trait("RFC", "8323 8.1"), Trait("RFC", "8323 8.2"), Trait("RFC", "8323 8.3"), Trait("RFC", "8323 8.4")]
    public void Knows_the_schemes_and_their_ports(string text, CoapScheme scheme, int port)
    {
        var uri = CoapUri.Parse(text);

        uri.Scheme.Should().Be(scheme);
        uri.Port.Should().Be(port);
        uri.HasDefaultPort.Should().BeTrue();
    }

    [Theory]
    [InlineData("coap://h:0/", 0)]
    [InlineData("coap://h:65535/", 65535)]
    [InlineData("coap://h:/", 5683)]
    [InlineData("coap://h:0000061616", 61616)]
    [InlineData("coap://[::1]:7", 7)]
    [InlineData("coap://[::1]:", 5683)]
    [Trait("RFC", "7252 6.1")]
    public void Reads_ports(string text, int port)
    {
        CoapUri.Parse(text).Port.Should().Be(port);
    }

    [Theory]
    [InlineData("coap://EXAMPLE.Com", "example.com")]
    [InlineData("coap://%45x%61mple.com", "example.com")]
    [InlineData("coap://%C3%A4rger.example", "ärger.example")]
    [InlineData("coap://%C3%84rger.example", "Ärger.example")]
    [InlineData("coap://a%2Fb", "a/b")]
    [InlineData("coap://my_host!$&'()*+,;=~", "my_host!$&'()*+,;=~")]
    [InlineData("coap://192.0.2.01", "192.0.2.01")]
    [InlineData("coap://1.2.3", "1.2.3")]
    [InlineData("coap://1.2.3.256", "1.2.3.256")]
    [Trait("RFC", "7252 6.4")]
    public void Reads_names_without_percent_encoding_and_in_lower_case(string text, string host)
    {
        var uri = CoapUri.Parse(text);

        uri.Host.Should().Be(host);
        uri.Address.Should().BeNull();
        CoapUri.Parse(uri.ToString()).Should().Be(uri);
    }

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1")]
    [InlineData("0.0.0.0", "0.0.0.0")]
    [InlineData("[2001:DB8:0:0:0:0:0:1]", "[2001:db8::1]")]
    [InlineData("[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]")]
    [InlineData("[2001:0db8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]")]
    [InlineData("[::]", "[::]")]
    [InlineData("[1::]", "[1::]")]
    [InlineData("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]")]
    [InlineData("[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]")]
    [InlineData("[::FFFF:c000:201]", "[::ffff:192.0.2.1]")]
    [InlineData("[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]")]
    [Trait("RFC", "7252 6.3")]
    public void Writes_addresses_in_the_recommended_form(string host, string normal)
    {
        var uri = CoapUri.Parse($"coap://{host}/");

        uri.Host.Should().Be(normal);
        uri.Address.Should().Be(IPAddress.Parse(normal.Trim('[', ']')));
        uri.ToString().Should().Be($"coap://{normal}/");
    }

    [Theory]
    [InlineData("[fe80::1%25lo]", "lo", "coap://[fe80::1%25lo]/")]
    [InlineData("[fe80::1%lo]", "lo", "coap://[fe80::1%25lo]/")]
    [InlineData("[fe80::1%254]", "4", "coap://[fe80::1%254]/")]
    [InlineData("[fe80::1%25no%20such%2fnet]", "no such/net", "coap://[fe80::1%25no%20such%2Fnet]/")]
    [Trait("RFC", "6874 2")]
    public void Keeps_the_zone_apart_from_the_address(string host, string zone, string normal)
    {
        var uri = CoapUri.Parse($"coap://{host}");

        uri.Zone.Should().Be(zone);
        uri.Host.Should().Be("[fe80::1]");
        uri.Address!.GetAddressBytes().Should().Equal(IPAddress.Parse("fe80::1").GetAddressBytes());
        uri.ToString().Should().Be(normal);
    }

    [Fact]
    public void Turns_a_zone_into_a_scope()
    {
        CoapUri.Parse("coap://[fe80::1%254]").Address!.ScopeId.Should().Be(4);
        CoapUri.Parse("coap://[fe80::1%25nosuchnet]").Address!.ScopeId.Should().Be(0);
        CoapUri.Parse("coap://[fe80::1%254]").Should().NotBe(CoapUri.Parse("coap://[fe80::1%255]"));
    }

    [Theory]
    [InlineData("//h/a", "*scheme is missing*")]
    [InlineData("/a", "*scheme is missing*")]
    [InlineData("", "*scheme is missing*")]
    [InlineData("http://h/", "*scheme \"http\" is none of coap*")]
    [InlineData("h:5683/a", "*scheme \"h\" is none of coap*")]
    [InlineData("://h", "*scheme \"\" is none*")]
    [InlineData("coap:/a", "*host is missing*position 5*")]
    [InlineData("coap:a", "*host is missing*position 5*")]
    [InlineData("coap:///a", "*host at position 7 is empty*")]
    [InlineData("coap://:5683/a", "*host at position 7 is empty*")]
    [InlineData("coap://me:secret@h/a", "*\"@\" at position 16 ends a user name*")]
    [InlineData("coap://h/a#part", "*fragment \"#part\" at position 10*")]
    [InlineData("coap://h/a#", "*fragment \"#\" at position 10*")]
    [InlineData("coap://h:65536/", "*port \"65536\" at position 9*65535*")]
    [InlineData("coap://h:99999999999999999999/", "*port \"99999999999999999999\" at position 9*65535*")]
    [InlineData("coap://h:-1/", "*port \"-1\" at position 9 is not a number*")]
    [InlineData("coap://2001:db8::1/", "*port*is not a number*brackets*")]
    [InlineData("coap://[v1.a]/", "*\"[v1.a]\" at position 7*future IP version*")]
    [InlineData("coap://[::1/", "*\"[\" at position 7 needs a*")]
    [InlineData("coap://[::1]x/", "*\"[\" at position 7 needs a*")]
    [InlineData("coap://[1:2]/", "*\"[1:2]\" at position 7 is not an IPv6 address*")]
    [InlineData("coap://[fe80::1%25]/", "*zone at position 15 is empty*")]
    [InlineData("coap://[fe80::1%12]/", "*zone \"%12\" at position 15 does not start with \"%25\"*")]
    [InlineData("coap://h/%zz", "*\"%zz\" at position 9*hexadecimal*")]
    [InlineData("coap://h/a%4", "*\"%4\" at position 10*hexadecimal*")]
    [InlineData("coap://h/?%", "*\"%\" at position 10*hexadecimal*")]
    [InlineData("coap://h/a b", "*\" \" at position 10*as %20*")]
    [InlineData("coap://h/ä", "*\"ä\" at position 9*as %C3%A4*")]
    [InlineData("coap://h/\U0001F600", "*at position 9*as %F0%9F%98%80*")]
    [InlineData("coap://h/\t", "*U+0009 at position 9*as %09*")]
    [InlineData("coap://a[b/", "*host contains \"[\" at position 8*")]
    [InlineData("coap://h/%FF", "*path \"%FF\" at position 9 is not UTF-8*")]
    [InlineData("coap://h?a=%C3", "*query \"a=%C3\" at position 9 is not UTF-8*")]
    [Trait("RFC", "7252 6.4")]
    public void Says_what_is_wrong_and_where(string text, string message)
    {
        var act = () => CoapUri.Parse(text);

        act.Should().Throw<FormatException>().WithMessage(message);
        CoapUri.TryParse(text, out var uri, out var error).Should().BeFalse();
        uri.Should().BeNull();
        error.Should().Match(message);
    }

    [Theory]
    [InlineData("coap://me:secret@h/a", "\"coap://…@h/a\" is not a CoAP URI. *")]
    [InlineData("http://me:secret@h/a", "\"http://…@h/a\" is not a CoAP URI. *")]
    [InlineData("me:secret@h/a", "\"…@h/a\" is not a CoAP URI. *")]
    [InlineData("coap://secret@me@h?a@b#c", "\"coap://…@h?a@b#c\" is not a CoAP URI. *")]
    public void An_error_does_not_show_what_is_before_the_host(string text, string message)
    {
        var parsing = () => CoapUri.Parse(text);

        parsing.Should().Throw<FormatException>().WithMessage(message).Which.Message.Should().NotContain("secret");
    }

    [Theory]
    [InlineData(":::")]
    [InlineData("1::2::3")]
    [InlineData("1:2:3:4:5:6:7:8:9")]
    [InlineData("1:2:3:4:5:6:7:8::")]
    [InlineData("::1:2:3:4:5:6:7:8")]
    [InlineData("12345::")]
    [InlineData("1:")]
    [InlineData(":1")]
    [InlineData("::g")]
    [InlineData("::+1")]
    [InlineData("::1.2.3")]
    [InlineData("::1.2.3.04")]
    [InlineData("1.2.3.4::")]
    [InlineData("1:2:3:4:5:6:7:1.2.3.4")]
    [InlineData("::1/64")]
    [Trait("RFC", "3986 3.2.2")]
    public void Refuses_what_is_no_IPv6_address(string literal)
    {
        CoapUri.TryParse($"coap://[{literal}]", out _, out var error).Should().BeFalse();

        error.Should().NotBeEmpty();
    }

    [Fact]
    [Trait("RFC", "7252 5.10")]
    public void Refuses_what_does_not_fit_into_an_option()
    {
        var fits = new string('a', 255);

        CoapUri.Parse($"coap://{fits}/{fits}/{fits}?{fits}&{fits}").PathSegments.Should().HaveCount(2);
        Refusal($"coap://h/x/{fits}a").Should().Be("The path segment at position 11 is 256 bytes long; at most 255 are allowed.");
        Refusal($"coap://h/?x&{fits}a").Should().Be("The query argument at position 12 is 256 bytes long; at most 255 are allowed.");
        Refusal($"coap://{fits}a").Should().Be("The host at position 7 is 256 bytes long; at most 255 are allowed.");
        Refusal("coap://h/" + string.Concat(Enumerable.Repeat("%C3%A4", 128))).Should().Contain("is 256 bytes long");
    }

    private static string Refusal(string text) => CoapUri.TryParse(text, out _, out var error) ? "" : error;
}
