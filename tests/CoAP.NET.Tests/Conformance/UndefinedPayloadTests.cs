using CoAP.Options;
using CoAP.Resources;
using CoAP.Tests.Resources;

namespace CoAP.Tests.Conformance;

/// <summary>GET, DELETE and 2.03 are defined without a payload: nobody may send one, and whoever receives one ignores it (RFC 7252, section 5.5).</summary>
public sealed class UndefinedPayloadTests
{
    private static readonly byte[] Bytes = [1, 2, 3];

    [Theory, Trait("RFC", "7252 5.5")]
    [InlineData(1, false)]
    [InlineData(2, true)]
    [InlineData(3, true)]
    [InlineData(4, false)]
    [InlineData(5, true)]
    [InlineData(6, true)]
    [InlineData(7, true)]
    [InlineData(31, true)]
    public void A_handler_sees_the_payload_only_of_methods_that_have_one(byte method, bool isSeen)
    {
        var message = Requests.Message(new CoapCode(method), [.. Requests.Path("/r")], Bytes);

        var request = Requests.Routed(new ResourceMap(), message);

        request.Payload.ToArray().Should().Equal(isSeen ? Bytes : []);
    }

    [Theory, Trait("RFC", "7252 5.5")]
    [InlineData(1)]
    [InlineData(4)]
    public void A_payload_that_has_no_meaning_is_no_reason_for_4_15(byte method)
    {
        var map = new ResourceMap();
        map.At("r").Get(_ => Response.Changed).Delete(_ => Response.Deleted).Put(_ => Response.Changed).Consumes(50);
        var message = Requests.Message(new CoapCode(method), [.. Requests.Path("/r"), new ContentFormat(41)], Bytes);

        var decision = Dispatch.For(message, map);

        decision.Refusal.Should().BeNull();
        decision.Handler.Should().NotBeNull();
    }

    [Theory, Trait("RFC", "7252 5.5")]
    [InlineData(1)]
    [InlineData(4)]
    public void A_request_whose_payload_has_no_meaning_cannot_be_created(byte method)
    {
        var make = () => new CoapRequest(new CoapCode(method)) { Payload = Bytes };

        make.Should().Throw<ArgumentException>().WithMessage("*5.5*");
    }

    [Fact, Trait("RFC", "7252 5.5"), Trait("RFC", "7252 5.9.1.3")]
    public void A_2_03_with_a_payload_cannot_be_created()
    {
        var make = () => new CoapResponse(ResponseCode.Valid) { Payload = Bytes };

        make.Should().Throw<ArgumentException>().WithMessage("*5.5*");
    }

    [Fact, Trait("RFC", "7252 5.5")]
    public async Task The_payload_of_a_received_2_03_is_ignored()
    {
        var network = new InMemoryNetwork();
        using var server = new ScriptedServer(network, request => new CoapMessage
        {
            Type = MessageType.Acknowledgement,
            Code = ResponseCode.Valid,
            MessageId = request.MessageId,
            Token = request.Token,
            Payload = Bytes,
        });
        await using var client = new CoapClient(new CoapClientSettings { Network = network });

        var call = client.GetAsync("coap://server/r").AsTask();
        server.AnswerOne();
        var response = await call;

        response.Code.Should().Be(ResponseCode.Valid);
        response.Payload.IsEmpty.Should().BeTrue();
    }

    [Fact, Trait("RFC", "7252 5.5")]
    public void An_empty_payload_is_none()
    {
        new CoapRequest(RequestCode.Get) { Payload = Array.Empty<byte>() }.Payload.IsEmpty.Should().BeTrue();
        new CoapResponse(ResponseCode.Valid) { Payload = Array.Empty<byte>() }.Payload.IsEmpty.Should().BeTrue();
    }
}
