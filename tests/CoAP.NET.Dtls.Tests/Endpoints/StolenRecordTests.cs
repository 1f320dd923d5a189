using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>
/// Somebody on the path holds back one record and sends it from the address of a victim, which reads nothing. The record may contain an Echo value or a token that was sent to
/// the honest peer. In simulated time.
/// </summary>
public sealed class StolenRecordTests : IDisposable
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(20) };
    private readonly List<PeerMove> _moves = [];
    private readonly ScriptedPeer _victim;
    private LaneEnd? _server;
    private LaneEnd? _client;
    private PeerIdentity _device;
    private byte[] _stolen = [];

    public StolenRecordTests() => _victim = ScriptedPeer.Client(_wire, "victim");

    [Theory, Trait("RFC", "9146 6"), Trait("RFC", "9853 3"), Trait("RFC", "9853 5")]
    [InlineData(true, true), InlineData(true, false), InlineData(false, true), InlineData(false, false)]
    public async Task A_request_with_an_Echo_that_was_sent_to_the_old_address_moves_no_session(bool hasCheck, bool isLimited)
    {
        Begin(hasCheck, isLimited);
        var before = await Get("/peer");

        // The second request of the call has the Echo value of the answer to the first one.
        Steal(Direction.ToServer, ahead: 2);
        var fresh = _client!.Send(new CoapRequest(RequestCode.Get, "/fresh"), Server);
        Forward(Direction.ToServer);

        (await fresh).PayloadText.Should().Be("fresh");
        await ExpectNoMove(before);
    }

    [Theory, Trait("RFC", "9146 6"), Trait("RFC", "9853 3"), Trait("RFC", "9853 5")]
    [InlineData(true, true), InlineData(true, false), InlineData(false, true), InlineData(false, false)]
    public async Task A_response_to_a_request_that_was_sent_to_the_old_address_moves_no_session(bool hasCheck, bool isLimited)
    {
        Begin(hasCheck, isLimited);
        var before = await Get("/peer");

        Steal(Direction.ToServer, ahead: 1);
        var asked = _server!.Send(new CoapRequest(RequestCode.Get, "/of-the-device"), _device);
        Forward(Direction.ToServer);

        _wire.RunUntil(() => asked.IsCompleted).Should().BeTrue();
        (await asked).Code.Should().Be(ResponseCode.NotImplemented, "the device has no resources");
        await ExpectNoMove(before);
    }

    // A client has no Echo, and no limit for addresses.
    [Theory, Trait("RFC", "9146 6"), Trait("RFC", "9853 3"), Trait("RFC", "9853 5"), InlineData(true), InlineData(false)]
    public async Task A_response_of_the_server_moves_no_session_of_a_client(bool hasCheck)
    {
        Begin(hasCheck, isLimited: true);
        var before = await Get("/peer");

        Steal(Direction.ToClient, ahead: 1);
        var large = _client!.Send(new CoapRequest(RequestCode.Get, "/large"), Server);
        Forward(Direction.ToClient);

        _wire.RunUntil(() => large.IsCompleted).Should().BeTrue();
        (await large).Payload.Length.Should().Be(5_000);
        await ExpectNoMove(before);
    }

    public void Dispose()
    {
        _client?.Dispose();
        _server?.Dispose();
        _victim.Dispose();
    }

    private PeerIdentity Server => PeerNames.OfServer(_wire.Server, "server");

    private void Begin(bool hasCheck, bool isLimited)
    {
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                map.At("peer").Get((request, _) =>
                {
                    _device = request.Peer;
                    return new(Response.Content(request.Peer.ToString()));
                });
                map.At("fresh").Get(static (_, _) => new(Response.Content("fresh"))).RequiresFreshness(TimeSpan.FromSeconds(30));
                map.At("large").Get(static (_, _) => new(Response.Content(new byte[5_000], 42)));
            },
            new CoapServerSettings
            {
                Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), ComputesOnLane = true, UsesRoutabilityCheck = hasCheck, OnPeerMoved = _moves.Add },
                Amplification = new() { IsLimited = isLimited, ExemptsLoopback = false },
            });
        _client = LaneEnd.Client(_wire, new CoapClientSettings
        {
            Dtls = new DtlsClientSettings { PreSharedKey = Key, ComputesOnLane = true, ConnectionIdLength = 8, OnPeerMoved = _moves.Add },
        });
    }

    private async Task<string> Get(string path)
    {
        var response = _client!.Send(new CoapRequest(RequestCode.Get, path), Server);
        _wire.RunUntil(() => response.IsCompleted).Should().BeTrue();
        return (await response).PayloadText;
    }

    // The datagram after so many is lost.
    private void Steal(Direction direction, int ahead) => _wire.Drop(direction, _nth = _wire.Sent(direction).Count + ahead);

    private int _nth;

    private void Forward(Direction direction)
    {
        _wire.RunUntil(() => _wire.Sent(direction).Count >= _nth).Should().BeTrue();
        var stolen = _wire.Sent(direction)[_nth - 1];
        stolen.Bytes[0].Should().Be((byte)ContentType.ConnectionId);
        _stolen = stolen.Bytes;
        _victim.TalkTo(stolen.To.ToString());
        _victim.Send(stolen.Bytes);
        _victim.TakeAll(seconds: 60);
    }

    private async Task ExpectNoMove(string before)
    {
        (await Get("/peer")).Should().Be(before, "the session goes on");
        _victim.TakeAll(seconds: 60);
        _moves.Should().BeEmpty();
        _victim.Received.Sum(static datagram => datagram.Length).Should().BeLessThanOrEqualTo(3 * _stolen.Length);
        _victim.Received.Should().NotBeEmpty("the stolen record was the newest");
    }
}
