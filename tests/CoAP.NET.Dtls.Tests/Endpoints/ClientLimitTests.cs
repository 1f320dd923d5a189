using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A client with more servers than its settings allow, and sessions that end with a fatal alert, in simulated time.</summary>
public sealed class ClientLimitTests : IDisposable
{
    private const byte Alert = 21, Handshake = 22, ClientKeyExchange = 16;

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
    private readonly LaneEnd _server;
    private readonly LaneEnd _other;
    private readonly PeerIdentity _toServer;
    private readonly PeerIdentity _toOther;
    private PeerIdentity _clientAtServer;
    private LaneEnd? _client;

    public ClientLimitTests()
    {
        var settings = new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), ConnectionIdLength = null, ComputesOnLane = true } };
        _server = LaneEnd.Server(
            _wire,
            map => map.At("who").Get((request, _) =>
            {
                _clientAtServer = request.Peer;
                return new(Response.Content("x"));
            }),
            settings);
        _other = LaneEnd.Member(_wire, "other", static map => map.At("who").Get(static (_, _) => new(Response.Content("x"))), settings);
        (_toServer, _toOther) = (PeerNames.OfServer(_wire.Server, "server"), PeerNames.OfServer(PeerIdentity.From("other"), "other"));
    }

    public void Dispose()
    {
        _client?.Dispose();
        _other.Dispose();
        _server.Dispose();
    }

    [Theory, InlineData(1), InlineData(2)]
    public async Task The_session_that_was_silent_for_the_longest_time_ends_for_another_one(int most)
    {
        Begin(new() { MaxSessions = most });
        (await AskAsync(_toServer)).IsSuccess.Should().BeTrue();

        (await AskAsync(_toOther)).IsSuccess.Should().BeTrue();

        _wire.RunFor(TimeSpan.FromSeconds(1));
        _wire.Sent(Direction.ToServer).Count(static one => one.Bytes[0] == Alert).Should().Be(most == 1 ? 1 : 0);
        (await AskAsync(_toServer)).IsSuccess.Should().BeTrue();
    }

    [Fact]
    public async Task A_request_that_needs_one_handshake_too_many_fails()
    {
        Begin(new() { MaxConcurrentHandshakes = 1 });
        var first = _client!.Send(new CoapRequest(RequestCode.Get, "/who"), _toServer);
        var second = _client.Send(new CoapRequest(RequestCode.Get, "/who"), _toOther);
        _wire.RunUntil(() => first.IsCompleted && second.IsCompleted);

        (await first).IsSuccess.Should().BeTrue();
        var waiting = async () => await second;
        (await waiting.Should().ThrowAsync<CoapTransportException>()).WithMessage("*MaxConcurrentHandshakes*");
        (await AskAsync(_toOther)).IsSuccess.Should().BeTrue();
    }

    [Theory, Trait("RFC", "5246 7.2.2"), InlineData(true), InlineData(false)]
    public async Task A_session_that_a_fatal_alert_has_ended_is_not_resumed(bool isFatal)
    {
        Begin(new());
        await AskAsync(_toServer);
        var lane = ((DtlsLayer)_server.Security!).LaneAt(_clientAtServer)!;
        lane.Peers.TryFind(new ChannelKey(_clientAtServer, _server.Lane.LocalFor(_clientAtServer)), out var peer).Should().BeTrue();
        lane.Send(peer!, ContentType.Alert, new Alert(isFatal, isFatal ? AlertDescription.InternalError : AlertDescription.CloseNotify).ToBytes());
        _wire.RunFor(TimeSpan.FromSeconds(1));
        var before = _wire.Sent(Direction.ToServer).Count;

        (await AskAsync(_toServer)).IsSuccess.Should().BeTrue();

        var messages = _wire.Sent(Direction.ToServer).Skip(before).Where(static one => one.Bytes[0] == Handshake).Select(static one => one.Bytes[13]);
        messages.Contains(ClientKeyExchange).Should().Be(isFatal);
    }

    private void Begin(DtlsClientSettings settings) => _client = LaneEnd.Client(
        _wire, new CoapClientSettings { Dtls = settings with { PreSharedKey = Key, ConnectionIdLength = null, ComputesOnLane = true } });

    private Task<CoapResponse> AskAsync(PeerIdentity server)
    {
        var answer = _client!.Send(new CoapRequest(RequestCode.Get, "/who"), server);
        _wire.RunUntil(() => answer.IsCompleted);
        return answer;
    }
}
