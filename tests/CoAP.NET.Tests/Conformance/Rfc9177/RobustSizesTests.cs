using CoAP.Discovery;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Our client and our server exchange bodies of all sizes over a wire that loses a fifth of the datagrams each way.</summary>
public sealed class RobustSizesTests : IDisposable
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests";

    // 13 transmissions, so that the loss of all of them is out of the question.
    private static readonly TransmissionParameters Patient = new() { MaxRetransmit = 12 };

    private readonly Wire _wire = new(new ManualClock(), seed: 3) { Latency = TimeSpan.FromMilliseconds(20), Loss = 0.2 };
    private readonly LaneEnd _client;
    private readonly LaneEnd _server;
    private byte[] _body = [];

    public RobustSizesTests()
    {
        _client = LaneEnd.Client(_wire, new CoapClientSettings
        {
            Transmission = Patient,
            ClientTransfers = new() { RobustMode = RobustMode.WhenSupported },
        });
        _server = LaneEnd.Server(_wire, Map, new CoapServerSettings { Transmission = Patient, MaxInlinePayload = int.MaxValue });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory, Trait("RFC", "9177 4.3"), Trait("RFC", "9177 4.4")]
    [InlineData(0), InlineData(1), InlineData(1024), InlineData(1025), InlineData(40_000), InlineData(200_000)]
    public void A_body_is_put_and_comes_back(int size)
    {
        var body = new byte[size];
        new Random(size).NextBytes(body);

        var put = Ask(new CoapRequest(RequestCode.Put, "/body") { Payload = body });
        var got = Ask(new CoapRequest(RequestCode.Get, "/body"));

        put.Code.Should().Be(ResponseCode.Changed);
        got.Payload.ToArray().Should().Equal(body);
        _wire.RunUntilIdle();
        _client.Leftovers.Should().StartWith(Nothing);
        _server.Leftovers.Should().StartWith(Nothing);
    }

    private void Map(ResourceMap resources)
    {
        WellKnownCore.MapOn(resources);
        resources.At("body").Get(_ => new CoapResponse(ResponseCode.Content) { Payload = _body }, HandlerMode.Inline).Put(request =>
        {
            _body = request.Payload.ToArray();
            return Response.Changed;
        }, HandlerMode.Inline);
    }

    private CoapResponse Ask(CoapRequest request)
    {
        var call = _client.Send(request);
        _wire.RunUntil(() => call.IsCompleted).Should().BeTrue();
        return call.Answer();
    }
}
