using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>Both roles on one association: a server sends requests to the device that asked it, a client may answer them.</summary>
public sealed class SymmetryTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _device;
    private readonly LaneEnd _server;
    private Task<CoapResponse>? _call;

    public SymmetryTests()
    {
        _device = ScriptedPeer.Client(_wire, "device");
        _server = LaneEnd.Server(_wire, map => map.At("register").Post(
            request =>
            {
                _call = _server!.Send(new CoapRequest(RequestCode.Get, "/state"), to: request.Peer);
                return Response.Created;
            }, HandlerMode.Inline));
    }

    public void Dispose()
    {
        _device.Dispose();
        _server.Dispose();
    }

    // Device              Server
    //    | CON [0x0001] POST  |
    //    +------------------->|
    //    | ACK [0x0001] 2.01  |
    //    |<-------------------+
    //    | CON [X] GET /state |
    //    |<-------------------+
    //    | ACK [X] 2.05       |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 2.2")]
    public void A_server_asks_the_device_that_registered()
    {
        _device.Send("CON [0x0001] POST /register (Token 0x01)");
        _device.Expect("ACK [0x0001] 2.01 Created (Token 0x01)");
        _device.Expect("CON [X] GET /state (Token T)");
        _device.Send("ACK [X] 2.05 Content (Token T) 'on'");
        _device.ExpectNothing(seconds: 1);

        _call!.Answer().PayloadText.Should().Be("on");
        _call!.Answer().Remote.Should().Be(_device.Self);
    }

    [Fact]
    public void The_channel_to_a_device_goes_when_its_message_IDs_are_out_of_quarantine()
    {
        A_server_asks_the_device_that_registered();
        _server.Lane.Channels.Count.Should().Be(1);
        for (var id = 10; id < 20; id++)
        {
            _device.Send($"NON [0x00{id}] GET /nothing (Token 0x01)");
            _device.Expect($"NON [Y{id}] 4.04 Not Found (Token 0x01)");
        }

        _wire.RunUntilIdle();

        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "7252 5.9.3.2")]
    public void A_client_without_resources_answers_5_01()
    {
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire);
        using var server = ScriptedPeer.Server(wire);

        server.Send("CON [0x0001] GET /state (Token 0x01)");

        server.Expect("ACK [0x0001] 5.01 Not Implemented (Token 0x01)");
    }
}
