using System.Net;
using System.Text;
using CoAP.Options;

namespace CoAP.Uris;

public class CoapUriComposingTests
{
    private static readonly IPAddress Destination = IPAddress.Parse("2001:db8::2:1");

    public static TheoryData<OptionSet, string> AppendixB => new()
    {
        { [], "coap://[2001:db8::2:1]/" },
        { [new UriHost("example.net")], "coap://example.net/" },
        { [new UriHost("example.net"), new UriPath(".well-known"), new UriPath("core")], "coap://example.net/.well-known/core" },
        {
            [new UriHost("xn--18j4d.example"), new UriPath("\u3053\u3093\u306b\u3061\u306f")],
            "coap://xn--18j4d.example/%E3%81%93%E3%82%93%E3%81%AB%E3%81%A1%E3%81%AF"
        },
    };

    [Theory]
    [MemberData(nameof(AppendixB))]
    [Trait("RFC", "7252 6.5")]
    public void Composes_the_examples_of_appendix_B(OptionSet options, string expected)
    {
        var uri = CoapUri.FromOptions(CoapScheme.Coap, options, Destination, 5683);

        uri.ToString().Should().Be(expected);
        CoapUri.Parse(expected).ToOptions(Destination, 5683).Should().Equal(options);
    }

    [Fact]
    [Trait("RFC", "7252 6.5")]
    public void Composes_the_last_example_of_appendix_B()
    {
        OptionSet options = [new UriPath(""), new UriPath("/"), new UriPath(""), new UriPath(""), new UriQuery("//"), new UriQuery("?&")];
        var destination = IPAddress.Parse("198.51.100.1");

        var uri = CoapUri.FromOptions(CoapScheme.Coap, options, destination, 61616);

        // The RFC encodes the slashes of the query, which its own step 8 and the normal form leave as they are.
        uri.Should().Be(CoapUri.Parse("coap://198.51.100.1:61616//%2F//?%2F%2F&?%26"));
        uri.ToString().Should().Be("coap://198.51.100.1:61616//%2F//?//&?%26");
        uri.ToOptions(destination, 61616).Should().Equal(options);
    }

    [Theory]
    [InlineData(CoapScheme.CoapTcp, 5683, "coap+tcp://h/")]
    [InlineData(CoapScheme.CoapsTcp, 5683, "coaps+tcp://h:5683/")]
    [InlineData(CoapScheme.CoapWs, 80, "coap+ws://h/")]
    [InlineData(CoapScheme.CoapsWs, 443, "coaps+ws://h/")]
    [Trait("RFC", "8323 8.7")]
    public void Takes_the_scheme_of_the_transport(CoapScheme scheme, int port, string expected)
    {
        CoapUri.FromOptions(scheme, [new UriHost("h")], Destination, port).ToString().Should().Be(expected);
    }

    [Theory]
    [InlineData("192.0.2.1", "coap://192.0.2.1/")]
    [InlineData("[2001:DB8::1]", "coap://[2001:db8::1]/")]
    [InlineData("\u00e4.example", "coap://%C3%A4.example/")]
    [InlineData("Example", "coap://example/")]
    [Trait("RFC", "7252 6.5")]
    public void Takes_hosts_of_every_form(string host, string expected)
    {
        CoapUri.FromOptions(CoapScheme.Coap, [new UriHost(host)], Destination, 5683).ToString().Should().Be(expected);
    }

    [Theory]
    [InlineData("a b")]
    [InlineData("a/b")]
    [InlineData("[")]
    [InlineData("[x]")]
    [InlineData("2001:db8::1")]
    [InlineData("h:5683")]
    [InlineData("me@h")]
    [InlineData("a%")]
    [InlineData("a\0")]
    [Trait("RFC", "7252 6.5")]
    public void Fails_where_the_host_is_none(string host)
    {
        var act = () => CoapUri.FromOptions(CoapScheme.Coap, [new UriHost(host)], Destination, 5683);

        act.Should().Throw<FormatException>().WithMessage("Option 3 (Uri-Host) is not a host.*");
    }

    [Fact]
    [Trait("RFC", "7252 5.10.1")]
    public void Fails_where_an_option_is_not_valid()
    {
        OptionSet[] wrong =
        [
            [new UnknownOption(11, "."u8.ToArray())], [new UriPath("a"), new UnknownOption(11, ".."u8.ToArray())],
            [new UnknownOption(7, new byte[3])], [new UnknownOption(3, new byte[] { 0xFF })], [new UnknownOption(11, new byte[256])],
            [new UnknownOption(3, new[] { (byte)'a' }), new UnknownOption(3, new[] { (byte)'b' })],
        ];

        foreach (var options in wrong)
        {
            CoapUri.TryFromOptions(CoapScheme.Coap, options, Destination, 5683, out _, out var error).Should().BeFalse();
            error.Should().StartWith("Option ");
        }
    }

    [Fact]
    [Trait("RFC", "7252 5.10.7")]
    public void Makes_a_reference_of_the_location()
    {
        CoapUri.LocationOf([new LocationPath("a b"), new LocationPath("c"), new LocationQuery("d=&")]).Should().Be("/a%20b/c?d=%26");
        CoapUri.LocationOf([new LocationQuery("d")]).Should().Be("/?d");
        CoapUri.LocationOf([new LocationPath("")]).Should().Be("/");
        CoapUri.LocationOf([new UriPath("a")]).Should().BeNull();
        CoapUri.LocationOf([new UnknownOption(8, ".."u8.ToArray()), new LocationPath("a")]).Should().BeNull();
    }

    [Theory]
    [InlineData(128)]
    [InlineData(132)]
    [InlineData(136)]
    [InlineData(140)]
    [Trait("RFC", "7252 5.10.7")]
    public void An_option_that_is_reserved_for_locations_makes_the_location_unknown(int number)
    {
        CoapUri.LocationOf([new LocationPath("a"), new UnknownOption(number, default)]).Should().BeNull();
    }

    [Fact]
    public void A_location_never_names_another_host()
    {
        var location = CoapUri.LocationOf([new LocationPath(""), new LocationPath("evil.example"), new LocationPath("x")]);

        var uri = CoapUri.Parse("coap://h:9/create?a").Resolve(location!);

        uri.Host.Should().Be("h");
        uri.PathSegments.Should().Equal("", "evil.example", "x");
    }

    [Fact]
    [Trait("RFC", "7252 6.5")]
    public void Decomposing_undoes_composing()
    {
        const int seed = 7252;
        var random = new Random(seed);
        for (var round = 0; round < 5_000; round++)
        {
            var scheme = (CoapScheme)random.Next(6);
            var options = RandomOptions(random);

            var text = CoapUri.FromOptions(scheme, options, Destination, 61616).ToString();

            CoapUri.Parse(text).ToOptions(Destination, 61616).Should().Equal(options, "seed {0}, round {1}, \"{2}\"", seed, round, text);
            text.Should().MatchRegex("^[!-~]+$").And.NotMatchRegex("%[0-9a-f]?[a-f]");
        }
    }

    // All that a URI can express: no destination repeated, no "." and "..", no single empty segment.
    private static OptionSet RandomOptions(Random random)
    {
        string[] hosts = ["example.org", "h\u00e4.example", "192.0.2.7", "[2001:db8::9]", "a~b_c!$&'()*+,;="];
        var options = new List<CoapOption>();
        if (random.Next(2) == 0) { options.Add(new UriHost(hosts[random.Next(hosts.Length)])); }
        if (random.Next(2) == 0) { options.Add(new UriPort((uint)random.Next(61616))); }
        var segments = Enumerable.Range(0, random.Next(5)).Select(_ => RandomText(random)).Where(text => text is not ("." or "..")).ToArray();
        if (segments is not [""]) { options.AddRange(segments.Select(text => new UriPath(text))); }
        options.AddRange(Enumerable.Range(0, random.Next(4)).Select(_ => new UriQuery(RandomText(random))));
        return [.. options];
    }

    private static string RandomText(Random random)
    {
        var text = new StringBuilder();
        for (var left = random.Next(12); left > 0; left--)
        {
            var rune = random.Next(4) > 0 ? random.Next(0x80) : random.Next(0x80, 0x11000);
            if (Rune.IsValid(rune)) { text.Append(new Rune(rune)); }
        }
        return text.ToString();
    }
}
