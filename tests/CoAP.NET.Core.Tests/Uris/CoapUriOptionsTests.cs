using System.Net;
using CoAP.Options;

namespace CoAP.Uris;

public class CoapUriOptionsTests
{
    private static readonly IPAddress Destination = IPAddress.Parse("2001:db8::2:1");

    [Theory]
    [InlineData("coap://a")]
    [InlineData("coap://a/")]
    [InlineData("coap://a//", "", "")]
    [InlineData("coap://a///", "", "", "")]
    [InlineData("coap://a/foo", "foo")]
    [InlineData("coap://a/foo/", "foo", "")]
    [InlineData("coap://a//%2F//", "", "/", "", "")]
    [Trait("RFC", "7252 6.4")]
    public void Makes_an_option_of_each_segment_but_of_a_lone_slash(string text, params string[] segments)
    {
        var options = CoapUri.Parse(text).ToOptions();

        options.GetAll<UriPath>().Select(path => path.Value).Should().Equal(segments);
        options.Contains<UriQuery>().Should().BeFalse();
    }

    [Theory]
    [InlineData("coap://a/?", "")]
    [InlineData("coap://a?", "")]
    [InlineData("coap://a?&", "", "")]
    [InlineData("coap://a?b=1&c", "b=1", "c")]
    [InlineData("coap://a?%2F%2F&?%26", "//", "?&")]
    [InlineData("coap://a?a+b", "a+b")]
    [Trait("RFC", "7252 6.4")]
    public void Makes_an_option_of_each_argument(string text, params string[] arguments)
    {
        var options = CoapUri.Parse(text).ToOptions();

        options.GetAll<UriQuery>().Select(query => query.Value).Should().Equal(arguments);
        options.Contains<UriPath>().Should().BeFalse();
    }

    [Theory]
    [InlineData("coap://[2001:db8::2:1]/", 5683, null, null)]
    [InlineData("coap://[2001:DB8:0:0::2:1%25lo]/", 5683, null, null)]
    [InlineData("coap://[2001:db8::2:2%25lo]/", 5683, "[2001:db8::2:2]", null)]
    [InlineData("coap://192.0.2.1/", 5683, "192.0.2.1", null)]
    [InlineData("coap://EXAMPLE.net/", 5683, "example.net", null)]
    [InlineData("coap://[2001:db8::2:1]/", 61616, null, 5683U)]
    [InlineData("coap://[2001:db8::2:1]:7/", 5683, null, 7U)]
    [InlineData("coaps+ws://[2001:db8::2:1]/", 443, null, null)]
    [Trait("RFC", "7252 6.4"), Trait("RFC", "7252 5.4.4")]
    public void Names_host_and_port_only_where_the_destination_does_not(string text, int destinationPort, string? host, uint? port)
    {
        var options = CoapUri.Parse(text).ToOptions(Destination, destinationPort);

        options.Get<UriHost>()?.Value.Should().Be(host);
        options.Contains<UriHost>().Should().Be(host is not null);
        options.Get<UriPort>()?.Value.Should().Be(port);
        options.Contains<UriPort>().Should().Be(port is not null);
    }

    [Fact]
    public void Treats_an_IPv4_address_and_its_IPv6_mapping_as_equal()
    {
        var plain = IPAddress.Parse("192.0.2.1");

        CoapUri.Parse("coap://192.0.2.1").ToOptions(plain.MapToIPv6(), 5683).IsEmpty.Should().BeTrue();
        CoapUri.Parse("coap://[::ffff:192.0.2.1]").ToOptions(plain, 5683).IsEmpty.Should().BeTrue();
        CoapUri.FromOptions(CoapScheme.Coap, [], plain.MapToIPv6(), 5683).ToString().Should().Be("coap://192.0.2.1/");
    }

    [Fact]
    [Trait("RFC", "8323 8.5")]
    public void Leaves_the_host_out_where_SNI_or_a_header_named_it()
    {
        var uri = CoapUri.Parse("coaps+tcp://Example.org/a");

        uri.ToOptions("example.ORG", 5684).Should().Equal(new UriPath("a"));
        uri.ToOptions("example.net", 5684).Should().Equal(new UriHost("example.org"), new UriPath("a"));
        uri.Invoking(one => one.ToOptions("a b", 5684)).Should().Throw<ArgumentException>().WithMessage("*\"a b\" is not a host*");
        CoapUri.FromOptions(CoapScheme.CoapsTcp, [new UriPath("a")], "EXAMPLE.org", 5684).Should().Be(uri);
    }
}
