using CoAP.Options;

namespace CoAP.Tests.Conformance;

/// <summary>A handler that never looked at Accept must not get another format through to the client (RFC 7252, section 5.10.4).</summary>
public sealed class UnheardAcceptTests
{
    private const uint Text = 0;
    private const uint Json = 50;

    [Theory, Trait("RFC", "7252 5.10.4")]
    [InlineData("/text", 1, Json, "4.06")]
    [InlineData("/text", 5, Json, "4.06")]
    [InlineData("/text", 1, Text, "2.05")]
    [InlineData("/formless", 1, Json, "2.05")]
    [InlineData("/error", 1, Json, "4.00")]
    [InlineData("/text", 2, Json, "2.05")]
    public async Task A_format_that_was_not_asked_for_becomes_4_06_where_nothing_was_changed(string path, byte method, uint accept, string code)
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] });
        RequestDelegate text = (_, _) => new(Response.Content("text"));
        server.Resources.At("text").Get(text).Fetch(text).Post(text);
        server.Resources.At("formless").Get((_, _) => new(new CoapResponse(ResponseCode.Content) { Payload = new byte[1] }));
        server.Resources.At("error").Get((_, _) => new(Response.Error(ResponseCode.BadRequest, "no", new ContentFormat(Text))));
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Network = network });

        var response = await client.SendAsync(new CoapRequest(new CoapCode(method), "coap://server" + path) { Options = [new Accept(accept)] });

        response.Code.ToString().Should().Be(code);
    }
}
