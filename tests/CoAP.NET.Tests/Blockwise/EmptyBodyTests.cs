using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise;

/// <summary>A body of no bytes is read like any other.</summary>
public sealed class EmptyBodyTests
{
    [Theory, InlineData(false), InlineData(true)]
    public void A_handler_that_reads_its_body_finds_the_end_at_once(bool isStreamed)
    {
        var wire = new Wire(new ManualClock());
        using var server = LaneEnd.Server(wire, map =>
        {
            var resource = map.At("upload").Put(ReadAsync);
            if (isStreamed) { resource.StreamsBody(); }
        });
        using var client = LaneEnd.Client(wire);

        var answer = client.Send(new CoapRequest(RequestCode.Put, "/upload"));
        wire.RunUntilIdle();

        answer.Answer().PayloadText.Should().Be("0");
    }

    private static async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken) =>
        Response.Content($"{await request.Body.ReadAsync(new byte[10], cancellationToken)}");
}
