using System.Net;
using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>The sessions of a client that has used up the message IDs of its local port (RFC 7252, section 4.4).</summary>
public sealed class FurtherPortSessionTests : IDisposable
{
    private const int BeforeReserve = 64_512 - 1024 + 1;        // of the IDs of a port for unicast, new exchanges use this many

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    private readonly Wire _wire = new(new ManualClock()) { Server = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5684)) };
    private readonly PeerIdentity _peer;
    private readonly LaneEnd _server;
    private readonly LaneEnd _client;

    public FurtherPortSessionTests()
    {
        _peer = PeerNames.OfServer(_wire.Server, "server");
        _server = LaneEnd.Server(
            _wire, static map => map.At("hello").Get(static (_, _) => new(Response.Content("hi"))),
            new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), ComputesOnLane = true } });
        _client = LaneEnd.ClientAt(
            _wire, new IPEndPoint(IPAddress.Parse("192.0.2.2"), 5683),
            new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = Key, ComputesOnLane = true } });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void The_next_request_goes_in_a_session_of_another_port_which_ends_with_that_port()
    {
        var closed = _client.ChannelTo(_peer).Closed;
        for (var i = 0; i < BeforeReserve; i++) { Exchange(); }

        Exchange().Code.Should().Be(ResponseCode.Content);
        (Ports, SessionsOf(_client), SessionsOf(_server)).Should().Be((2, 2, 2));

        // The first port is used again as soon as its IDs leave quarantine, and the second one rests.
        for (var i = 0; i < 3; i++)
        {
            _wire.RunFor(TimeSpan.FromSeconds(248));
            Exchange().Code.Should().Be(ResponseCode.Content);
        }
        _wire.RunFor(TimeSpan.FromSeconds(1));

        (_client.Lane.FurtherPorts.Open.Count, SessionsOf(_client), SessionsOf(_server)).Should().Be((0, 1, 1));
        closed.IsCancellationRequested.Should().BeFalse("the session of the first port goes on");
    }

    private int Ports => _wire.Sent(Direction.ToServer).Select(static one => one.From).Distinct().Count();

    private static int SessionsOf(LaneEnd end) => end.Lane.Sessions!.All.Count();

    private CoapResponse Exchange()
    {
        var call = _client.Send(new CoapRequest(RequestCode.Get, "/hello"), _peer);
        _wire.RunUntil(() => call.IsCompleted);
        return call.Answer();
    }
}
