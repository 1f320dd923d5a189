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

    [Fact, Trait("RFC", "6874 1")]
    public void A_zone_is_not_sent_to_a_proxy()
    {
        var request = new CoapRequest(RequestCode.Get, "coap://192.0.2.1") { Options = [new ProxyUri("coap://[fe80::1%25eth0]/valve")] };
        var composing = () => RequestTarget.Of(request);

        composing.Should().Throw<ArgumentException>().WithMessage("*zone 'eth0'*proxy*");
    }
}
