using System.Net;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>The attributes of spans, by the conventions of OpenTelemetry for HTTP and RFC 7252.</summary>
public sealed class SpanAttributesTests
{
    private static readonly PeerIdentity Peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.7"), 40123));
    private static readonly PeerIdentity Local = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5683));

    // "url.full MUST NOT contain credentials passed via URL in form of https://username:password@www.example.com/." The replacement is that of the text.
    [Theory]
    [InlineData("https://user:secret@example.org/a?b=c", "https://REDACTED:REDACTED@example.org/a", "https", "example.org", 443)]
    [InlineData("coap://user@example.org:99", "coap://REDACTED:REDACTED@example.org:99", "coap", "example.org", 99)]
    [InlineData("coap:///user:secret@a", null, null, null, null)]
    [InlineData("coap+tcp://[2001:db8::1]/x@y", "coap+tcp://[2001:db8::1]/x@y", "coap+tcp", "2001:db8::1", 5683)]
    public void A_proxied_uri_describes_the_server_and_has_no_password(string uri, string? full, string? scheme, string? host, int? port)
    {
        var tags = OfClient([new ProxyUri(uri)]);

        (tags.GetValueOrDefault("url.full"), tags.GetValueOrDefault("url.scheme")).Should().Be((full, scheme));
        (tags.GetValueOrDefault("server.address"), tags.GetValueOrDefault("server.port")).Should().Be((host, (object?)port));
        (tags["network.peer.address"], tags["network.peer.port"]).Should().Be(("192.0.2.7", 40123), "that is the proxy");
    }

    [Fact, Trait("RFC", "7252 6.5")]
    public void The_options_of_a_uri_describe_the_server_behind_a_proxy()
    {
        var tags = OfClient([new ProxyScheme("coaps"), new UriHost("example.org"), new UriPort(1234), new UriPath("a")]);

        tags.Should().Contain(new Dictionary<string, object?>
        {
            ["url.full"] = "coaps://example.org:1234/a",
            ["url.scheme"] = "coaps",
            ["server.address"] = "example.org",
            ["server.port"] = 1234,
        });
    }

    // url.path is "the URI path component" (RFC 3986, section 3.3): "/", "?" and "%" of a segment are encoded.
    [Fact, Trait("RFC", "7252 6.5")]
    public void The_path_and_the_host_are_components_of_a_uri()
    {
        OptionSet options = [new UriHost("bücher é"), new UriPath("a/b"), new UriPath("50%?"), new UriPath("x@y:z"), new UriQuery("a=b&c/d")];

        var server = SpanAttributes.OfServer(Message(options), new ChannelKey(Peer, Local), "/{a}", Context(includesQuery: true)).ToDictionary();

        (server["url.path"], server["url.query"], server["coap.route"]).Should().Be(("/a%2Fb/50%25%3F/x@y:z", "a=b%26c/d", "/{a}"));
        OfClient(options)["url.full"].Should().Be("coap://b%C3%BCcher%20%C3%A9:40123/a%2Fb/50%25%3F/x@y:z");
    }

    [Fact]
    public void The_host_and_the_port_of_a_received_request_are_those_that_it_names()
    {
        var named = SpanAttributes.OfServer(Message([new UriHost("example.org"), new UriPort(99)]), new ChannelKey(Peer, Local), null, Context()).ToDictionary();
        var other = SpanAttributes.OfServer(Message([]), new ChannelKey(Peer, Local), null, Context()).ToDictionary();

        (named["server.address"], named["server.port"]).Should().Be(("example.org", 99));
        (other["server.address"], other["server.port"]).Should().Be(("192.0.2.1", 5683));
        (other["client.address"], other["client.port"], other["url.path"]).Should().Be(("192.0.2.7", 40123, "/"));
    }

    private static SpanContext Context(bool includesQuery = false) => new("coap", IsReliable: false, new TelemetrySettings { IncludesQuery = includesQuery });

    private static CoapMessage Message(OptionSet options) => new(MessageType.Confirmable, RequestCode.Get, default, Token.Empty, options, default);

    private static Dictionary<string, object?> OfClient(OptionSet options) =>
        SpanAttributes.OfClient(RequestCode.Get, new ChannelKey(Peer, Local), options, Context()).ToDictionary();
}
