using System.Net;
using CoAP.Discovery;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Tests.Discovery;

/// <summary>A zone is the name of an interface of the machine that wrote it, so it is neither taken from a peer nor sent to one.</summary>
public sealed class DiscoveredZoneTests
{
    [Theory, Trait("RFC", "6874 1")]
    [InlineData("fe80::1%7", "/x", "coap://[fe80::1%257]/x")]
    [InlineData("fe80::1%7", "coap://[fe80::1]/x", "coap://[fe80::1%257]/x")]
    [InlineData("fe80::1%7", "coap+tcp://[fe80::2]:7000/x?y=z", "coap+tcp://[fe80::2%257]:7000/x?y=z")]
    [InlineData("fe80::1%7", "//[fe80::2]/x", "coap://[fe80::2%257]/x")]
    [InlineData("fe80::1%7", "coap://[2001:db8::1]/x", "coap://[2001:db8::1]/x")]
    [InlineData("fe80::1%7", "coap://[fe80::1%257]/x", null)]
    [InlineData("fe80::1%7", "coap://[fe80::1%25lo]/x", null)]
    [InlineData("fe80::1%7", "//[fe80::1%25lo]/x", null)]
    [InlineData("192.0.2.1", "coap://[fe80::1%25typo0]/x", null)]
    [InlineData("192.0.2.1", "coap://[fe80::1]/x", "coap://[fe80::1]/x")]
    public void The_URI_of_a_link_is_on_the_link_to_its_sender(string sender, string target, string? uri)
    {
        var address = new IPEndPoint(IPAddress.Parse(sender), 5683);
        var origin = CoapUri.FromOptions(CoapScheme.Coap, default(OptionSet), address.Address, address.Port);

        new DiscoveredLink(new WebLink(target), PeerIdentity.From(address), origin).Uri.Should().Be(uri);
    }

    [Theory, Trait("RFC", "6874 1")]
    [InlineData("coap://[fe80::1%25eth0]/valve", "eth0")]
    [InlineData("http://[fe80::1%25eth0]/valve", "eth0")]
    [InlineData("http://[fe80::1%eth0]:8080", "eth0")]
    [InlineData("HTTPS://user:word@[FE80::1%257]?q", "7")]
    [InlineData("coap://[fe80::1%25eth0]/valve#fragment", "eth0")]
    [InlineData("x-y://[2001:db8::1%25eth0]#/[::1]", "eth0")]
    [InlineData("http://%5Bfe80::1%25eth0%5D/", "eth0")]
    [InlineData("//[fe80::1%25eth0]/valve", "eth0")]
    [InlineData("ftp://[fe80::1%25]/", "25")]
    public void A_zone_is_not_sent_to_a_proxy(string proxied, string zone)
    {
        var request = new CoapRequest(RequestCode.Get, "coap://192.0.2.1") { Options = [new ProxyUri(proxied)] };
        var composing = () => RequestTarget.Of(request);

        composing.Should().Throw<ArgumentException>().WithMessage($"*zone '{zone}'*proxy*");
        var overChannel = new CoapRequest(RequestCode.Get) { Options = request.Options };
        FluentActions.Invoking(() => RequestOptions.Of(overChannel, PeerIdentity.From("proxy")))
            .Should().Throw<ArgumentException>().WithMessage($"*zone '{zone}'*proxy*");
    }

    [Theory, Trait("RFC", "6874 1")]
    [InlineData("fe80::1%eth0", "eth0"), InlineData("[fe80::1%25eth0]", "eth0"), InlineData("[fe80::1%7]", "7")]
    [InlineData("[2001:db8::1%25eth0", "eth0"), InlineData("[fe80::1%]", "")]
    public void A_zone_is_not_sent_in_Uri_Host(string host, string zone)
    {
        foreach (var uri in new[] { null, "/valve", "coap://192.0.2.1/valve" })
        {
            OptionSet own = [new UriHost(host)];
            var request = uri is null ? new CoapRequest(RequestCode.Get) { Options = own }
                : new CoapRequest(RequestCode.Get, uri) { Options = own };

            FluentActions.Invoking(() => RequestOptions.Of(request, PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5683))))
                .Should().Throw<ArgumentException>().WithMessage($"*Uri-Host has the zone '{zone}'*peer*");
        }
        var target = () => RequestTarget.Of(new CoapRequest(RequestCode.Get, "coap://192.0.2.1") { Options = [new UriHost(host)] });
        target.Should().Throw<ArgumentException>().WithMessage("*zone*");
    }

    [Theory]
    [InlineData("http://a%25b/[fe80::1%25eth0]", null), InlineData("http://host?x=[fe80::1%25eth0]", null)]
    [InlineData("http://[fe80::1]/%25", null)]
    [InlineData(null, "100%cotton"), InlineData(null, "[fe80::1]"), InlineData(null, "abc%eth0")]
    public void A_percent_sign_elsewhere_is_no_zone(string? proxied, string? host)
    {
        OptionSet own = proxied is not null ? [new ProxyUri(proxied)] : [new UriHost(host!)];

        (RequestTarget.Of(new CoapRequest(RequestCode.Get, "coap://192.0.2.1") { Options = own }).PathOptions == own).Should().BeTrue();
    }
}
