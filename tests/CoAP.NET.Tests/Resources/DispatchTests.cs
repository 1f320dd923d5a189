using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Tests.Resources;

public sealed class DispatchTests
{
    private const int None = -1;

    [Theory]
    [InlineData("/nowhere", 1, None, None, 0, "4.04")]
    [InlineData("/", 1, None, None, 0, "4.04")]
    [InlineData("/r", 4, None, None, 0, "4.05")]
    [InlineData("/r", 31, None, None, 0, "4.05")]
    [InlineData("/r", 4, 7, 7, 1, "4.05")]
    [InlineData("/r", 3, 41, None, 1, "4.15")]
    [InlineData("/r", 3, 41, 41, 1, "4.15")]
    [InlineData("/r", 3, 50, 41, 1, "4.06")]
    [InlineData("/r", 1, None, 41, 0, "4.06")]
    [InlineData("/r", 1, None, 0, 0, "4.06")]
    [InlineData("/r", 1, None, None, 0, null)]
    [InlineData("/r", 1, None, 60, 0, null)]
    [InlineData("/r", 3, 50, 60, 1, null)]
    [InlineData("/r", 3, 0, None, 1, null)]
    [InlineData("/r", 3, None, None, 1, null)]
    [InlineData("/r", 3, 41, None, 0, null)]
    [InlineData("/free", 1, 12345, 54321, 5, null)]
    [Trait("RFC", "7252 5.10.4"), Trait("RFC", "7252 5.9.2.7"), Trait("RFC", "7252 5.10.3"), Trait("RFC", "7252 5.9.2.10")]
    public void Decides_without_user_code(string path, byte method, int contentFormat, int accept, int payloadLength, string? refusal)
    {
        var map = new ResourceMap();
        map.At("r").Get(_ => Response.Changed).Put(_ => Response.Changed).Consumes(0, 50).Produces(60);
        map.At("free").Get(_ => Response.Changed);
        var options = new List<CoapOption>(Requests.Path(path));
        if (contentFormat != None) { options.Add(new ContentFormat((uint)contentFormat)); }
        if (accept != None) { options.Add(new Accept((uint)accept)); }

        var decision = Dispatch.For(Requests.Message(new CoapCode(method), [.. options], new byte[payloadLength]), map);

        decision.Refusal?.Code.ToString().Should().Be(refusal);
        (decision.Refusal is null).Should().Be(refusal is null);
        (decision.Handler is null).Should().Be(refusal is not null);
    }

    [Fact]
    [Trait("RFC", "7252 5.4.3")]
    public void Ignores_a_content_format_of_a_wrong_length()
    {
        var map = new ResourceMap();
        map.At("r").Put(_ => Response.Changed).Consumes(0);
        var tooLong = new UnknownOption(12, new byte[] { 1, 2, 3 });
        var message = Requests.Message(RequestCode.Put, [.. Requests.Path("/r"), tooLong], new byte[1]);

        var decision = Dispatch.For(message, map);

        decision.Handler.Should().NotBeNull();
    }

    [Theory]
    [InlineData(5), Trait("RFC", "8132 2.2")]
    [InlineData(6), InlineData(7), Trait("RFC", "8132 3.4")]
    public void Refuses_FETCH_and_PATCH_with_a_payload_in_a_format_that_the_resource_does_not_take(byte method)
    {
        var map = new ResourceMap();
        map.At("r").Fetch(_ => Response.Changed).Patch(_ => Response.Changed).IPatch(_ => Response.Changed).Consumes(50);
        var message = Requests.Message(new CoapCode(method), [.. Requests.Path("/r"), new ContentFormat(41)], new byte[1]);

        var decision = Dispatch.For(message, map);

        decision.Refusal!.Code.Should().Be(ResponseCode.UnsupportedContentFormat);
        decision.Handler.Should().BeNull();
    }

    [Fact]
    public async Task Hands_over_the_handler_of_the_method()
    {
        var map = new ResourceMap();
        map.At("sensors/{id}").Get(request => Response.Content("get " + request["id"])).Put((_, _) => new(Response.Content("put")));
        var request = Requests.Routed(map, Requests.Message(RequestCode.Get, "/sensors/7"));

        var get = Dispatch.For(request.Message, map);
        var put = Dispatch.For(Requests.Message(RequestCode.Put, "/sensors/7"), map);

        (await get.Handler!.Invoke(request, default)).PayloadText.Should().Be("get 7");
        (await put.Handler!.Invoke(request, default)).PayloadText.Should().Be("put");
        get.Resource!.Template.Should().Be("/sensors/{id}");
        get.Handler.Template.Should().Be("/sensors/{id}");
    }
}
