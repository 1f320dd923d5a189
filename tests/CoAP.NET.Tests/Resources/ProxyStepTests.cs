using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>A step can answer requests that need a proxy (RFC 7252, section 5.7.2).</summary>
public sealed class ProxyStepTests
{
    private readonly Wire _wire = new(new ManualClock());

    [Theory, Trait("RFC", "7252 5.7.2")]
    [InlineData("{Proxy-Uri: coap://example.net/}", "2.05 Content (Token 0x01) 'forwarded'")]
    [InlineData("{Proxy-Scheme: coap}", "5.05 Proxying Not Supported (Token 0x01)")]
    public void A_step_answers_the_requests_that_it_wants_and_the_others_get_5_05(string options, string answer)
    {
        using var server = LaneEnd.Server(_wire, map => map.At("r").Get(_ => Response.Content("own"), HandlerMode.Inline), steps: Forward);
        using var client = ScriptedPeer.Client(_wire);

        client.Send($"CON [0x0001] GET /r (Token 0x01) {options}");

        client.Expect($"ACK [0x0001] {answer}");
    }

    [Fact, Trait("RFC", "7252 5.7.2")]
    public void An_endpoint_without_resources_is_no_proxy_either()
    {
        using var end = LaneEnd.Client(_wire, name: "server");
        using var client = ScriptedPeer.Client(_wire);

        client.Send("CON [0x0001] GET (Token 0x01) {Proxy-Uri: coap://example.net/}");
        client.Expect("ACK [0x0001] 5.05 Proxying Not Supported (Token 0x01)");
        client.Send("CON [0x0002] GET (Token 0x02)");
        client.Expect("ACK [0x0002] 5.01 Not Implemented (Token 0x02)");
    }

    private static RequestDelegate Forward(RequestDelegate next) => (request, cancellationToken) => request.Options.Contains<ProxyUri>()
        ? new(new CoapResponse(ResponseCode.Content) { Payload = "forwarded"u8.ToArray() })
        : next(request, cancellationToken);
}
