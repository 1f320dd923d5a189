using System.Net;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Proxy-Uri takes the place of the other options of a URI (RFC 7252, section 5.10.2).</summary>
public sealed class Rfc7252Section5_10_2Tests
{
    private static readonly IPEndPoint Proxy = new(IPAddress.Parse("192.0.2.1"), 5683);

    [Theory, Trait("RFC", "7252 5.10.2")]
    [InlineData("coap://proxy.example"), InlineData("coap://proxy.example:61616"), InlineData("coap://192.0.2.1/")]
    public void The_URI_of_the_proxy_is_not_sent(string uri)
    {
        var request = new CoapRequest(RequestCode.Get, uri) { Options = [new ProxyUri("coap://device.example/t?a=b"), new Accept(50)] };

        var sent = RequestTarget.Of(request).RequestTo(Proxy);

        sent.Options.Select(static option => option.Number).Should().Equal(17, 35);
    }

    [Theory, Trait("RFC", "7252 5.10.2")]
    [InlineData("coap://proxy.example/t", "the URI of the request has Uri-Path")]
    [InlineData("coap://proxy.example?a=b", "the URI of the request has Uri-Query")]
    public void A_path_or_a_query_of_the_proxy_is_an_error_of_the_call(string uri, string reason)
    {
        var act = () => RequestTarget.Of(new CoapRequest(RequestCode.Get, uri) { Options = [new ProxyUri("coap://device.example/t")] });

        act.Should().Throw<ArgumentException>().WithMessage($"Proxy-Uri names the whole URI of the resource, but {reason} as well (RFC 7252, section 5.10.2).*");
    }

    public static TheoryData<CoapOption> OptionsOfUris => [new UriHost("a"), new UriPort(1), new UriPath("a"), new UriQuery("a")];

    [Theory, Trait("RFC", "7252 5.10.2"), MemberData(nameof(OptionsOfUris))]
    public async Task Other_options_of_a_URI_are_an_error_of_the_call(CoapOption option)
    {
        await using var client = new CoapClient();
        var request = new CoapRequest(RequestCode.Get, "coap://192.0.2.1") { Options = [new ProxyUri("coap://device.example/t"), option] };

        await client.Invoking(one => one.SendAsync(request).AsTask()).Should().ThrowAsync<ArgumentException>().WithMessage("*the options contain Uri-*");
        client.Invoking(one => one.Send(request)).Should().Throw<ArgumentException>().WithMessage("*the options contain Uri-*");
    }

    [Theory, Trait("RFC", "7252 5.10.2")]
    [InlineData("/t"), InlineData("?a"), InlineData("coap://server/t")]
    public async Task A_channel_refuses_a_URI_together_with_proxy_options(string uri)
    {
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire);
        var act = () => client.Send(new CoapRequest(RequestCode.Get, uri.StartsWith('?') ? "/" + uri : uri) { Options = [new ProxyUri("coap://device.example/t")] });

        await act.Should().ThrowAsync<ArgumentException>();
        wire.Sent(CoAP.TestSupport.Direction.ToServer).Should().BeEmpty();
    }

    // A server that is no proxy answers 5.05, whatever the other options say.
    [Fact, Trait("RFC", "7252 5.10.2"), Trait("RFC", "7252 5.7.2")]
    public void A_server_ignores_the_other_options()
    {
        var wire = new Wire(new ManualClock());
        using var server = LaneEnd.Server(wire, static map => map.At("r").Get(static _ => Response.Content("own"), HandlerMode.Inline));
        using var client = ScriptedPeer.Client(wire);

        client.Send("CON [0x0001] GET /r (Token 0x01) {Proxy-Uri: coap://example.net/}");

        client.Expect("ACK [0x0001] 5.05 Proxying Not Supported (Token 0x01)");
    }
}
