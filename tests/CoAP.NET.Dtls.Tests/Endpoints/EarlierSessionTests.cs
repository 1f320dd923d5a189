using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>
/// A device whose session ends while a request of the server waits for its answer, in simulated time. The answer belongs to the session that has ended.
/// </summary>
public sealed class EarlierSessionTests : IDisposable
{
    private const byte Acknowledgement = 0x60, Content = 0x45;

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);
    private static readonly TimeSpan SessionTime = TimeSpan.FromMilliseconds(500);

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
    private readonly TaskCompletionSource _release = new();
    private readonly List<byte[]> _opened = [];     // the messages of the device that the server has opened
    private readonly PeerIdentity _peer;
    private readonly LaneEnd _server;
    private readonly LaneEnd _device;
    private PeerIdentity _deviceAtServer;

    public EarlierSessionTests()
    {
        _peer = PeerNames.OfServer(_wire.Server, "server");
        var tap = MeshLink.Filter(MeshArrow.FramesIn, frame =>
        {
            _opened.Add(frame.Bytes.ToArray());
            return true;
        });
        _server = LaneEnd.Server(
            _wire,
            map => map.At("who").Get((request, _) =>
            {
                _deviceAtServer = request.Peer;
                return new(Response.Content("x"));
            }),
            new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), ComputesOnLane = true }, Links = [tap] });
        _device = LaneEnd.Client(
            _wire,
            new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = Key, ComputesOnLane = true, SessionTimeout = SessionTime } },
            map: map => map.At("lamp").Get(async (_, _) =>
            {
                await _release.Task;
                return Response.Content("on");
            }));
    }

    public void Dispose()
    {
        _device.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7252 9.1.2")]
    public async Task A_response_and_an_acknowledgement_do_not_begin_a_session()
    {
        await AskDeviceAsync();
        _wire.RunFor(SessionTime * 2);
        var sent = _wire.Sent(Direction.ToServer).Count;

        AnswerNow();

        _wire.Sent(Direction.ToServer).Should().HaveCount(sent);
    }

    [Fact, Trait("RFC", "7252 9.1.2"), Trait("RFC", "7252 9.1.1")]
    public async Task A_response_and_an_acknowledgement_do_not_go_out_in_a_later_session()
    {
        await AskDeviceAsync();
        _wire.RunFor(SessionTime);
        (await BeginAsync()).Code.Should().Be(ResponseCode.Content);
        _opened.Clear();

        AnswerNow();

        _opened.Should().NotContain(static one => one[1] == Content || (one[0] & 0x70) == Acknowledgement);
    }

    [Fact, Trait("RFC", "7252 9.1.2"), Trait("RFC", "7252 9.1.1")]
    public async Task Responses_are_sent_in_the_session_of_the_request()
    {
        var asked = await AskDeviceAsync();
        _opened.Clear();

        AnswerNow();

        (await asked).PayloadText.Should().Be("on");
        _opened.Should().Contain(static one => one[1] == Content);
    }

    private async Task<Task<CoapResponse>> AskDeviceAsync()
    {
        await BeginAsync();
        var asked = _server.Send(new CoapRequest(RequestCode.Get, "/lamp"), _deviceAtServer);
        _wire.RunFor(TimeSpan.FromMilliseconds(50));
        return asked;
    }

    private Task<CoapResponse> BeginAsync()
    {
        var answer = _device.Send(new CoapRequest(RequestCode.Get, "/who"), _peer);
        _wire.RunUntil(() => answer.IsCompleted);
        return answer;
    }

    private void AnswerNow()
    {
        _device.DiscardWork();
        _release.SetResult();
        _device.AwaitWork();
        _wire.RunFor(TimeSpan.FromMilliseconds(100));
    }
}
