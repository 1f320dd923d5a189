using CoAP.Resources;

namespace CoAP.Tests.Resources;

public sealed class CoapResourceTests
{
    [Theory]
    [InlineData(1, "2.05")]
    [InlineData(2, "4.05")]
    [InlineData(3, "2.04")]
    [InlineData(4, "4.05")]
    [InlineData(5, "4.05")]
    [InlineData(6, "4.05")]
    [InlineData(7, "4.05")]
    public async Task Answers_what_is_overridden_and_4_05_otherwise(byte method, string code)
    {
        var map = new ResourceMap();
        map.Add("counters/{name}", new Counter());
        var message = Requests.Message(new CoapCode(method), "/counters/a");

        var response = await Dispatch.For(message, map).Handler!.Invoke(Requests.Routed(map, message), default);

        response.Code.ToString().Should().Be(code);
    }

    [Fact]
    public async Task Sees_the_values_of_the_placeholders()
    {
        var map = new ResourceMap();
        map.Add("counters/{name}", new Counter(), HandlerMode.Buffered);
        var request = Requests.Routed(map, "/counters/a");

        var handler = Dispatch.For(request.Message, map).Handler!;

        (await handler.Invoke(request, default)).PayloadText.Should().Be("a");
        handler.Mode.Should().Be(HandlerMode.Buffered);
    }

    [Fact]
    public void Refuses_a_template_that_is_mapped()
    {
        var map = new ResourceMap();
        map.At("counters/{name}").Delete(_ => Response.Deleted);

        var adding = () => map.Add("counters/{name}", new Counter());

        adding.Should().Throw<InvalidOperationException>().WithMessage("'/counters/{name}' is already mapped.");
    }

    private sealed class Counter : CoapResource
    {
        protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken) =>
            new(Response.Content(request["name"]));

        protected override async ValueTask<CoapResponse> PutAsync(IncomingRequest request, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return Response.Changed;
        }
    }
}
