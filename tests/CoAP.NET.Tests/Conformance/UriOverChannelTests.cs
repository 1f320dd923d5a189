using System.Net;
using CoAP.Exchanges;

namespace CoAP.Tests.Conformance;

/// <summary>An absolute URI names the same resource over a channel as without one: host and port go along (RFC 7252, section 6.4, steps 5 to 7).</summary>
public sealed class UriOverChannelTests
{
    private static readonly PeerIdentity Peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5683));

    [Theory, Trait("RFC", "7252 6.4")]
    [InlineData("/a?b", "UriPath: a, UriQuery: b")]
    [InlineData("coap://192.0.2.1/a", "UriPath: a")]
    [InlineData("coap://Example.net/a", "UriHost: example.net, UriPath: a")]
    [InlineData("coap://192.0.2.1:61616/a", "UriPort: 61616, UriPath: a")]
    [InlineData("coap://192.0.2.2/a", "UriHost: 192.0.2.2, UriPath: a")]
    public void Host_and_port_become_options_where_they_are_not_the_peers(string uri, string options)
    {
        RequestOptions.Of(new CoapRequest(RequestCode.Get, uri), Peer).ToString().Should().Be(options);
    }

    [Theory, Trait("RFC", "6874 1")]
    [InlineData("[fe80::1%257]", null), InlineData("[fe80::1]", null), InlineData("[fe80::1%258]", "*zone '8', but the channel leads to [fe80::1%7]*")]
    [InlineData("[fe80::1%25typo0]", "*zone 'typo0'*"), InlineData("[fe80::2%25typo0]", "*zone 'typo0'*"), InlineData("[2001:db8::1%257]", "*zone '7'*")]
    public void A_zone_that_is_not_the_channels_is_an_error(string host, string? error)
    {
        var peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("fe80::1%7"), 5683));
        var composing = () => RequestOptions.Of(new CoapRequest(RequestCode.Get, $"coap://{host}/a"), peer).ToString();

        if (error is null) { composing().Should().Be("UriPath: a"); }
        else { composing.Should().Throw<ArgumentException>().WithMessage(error); }
    }
}
