using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>What a client does with the records of a server that are no messages of CoAP.</summary>
public sealed class ClientSessionTests : IDisposable
{
    private const byte Warning = 1, CloseNotify = 0, NoRenegotiation = 100;

    private static readonly PreSharedKey Key = ScriptedDevice.Key;

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(20) };
    private readonly ScriptedServer _server;
    private readonly LaneEnd _client;

    public ClientSessionTests()
    {
        _server = new ScriptedServer(_wire, Key);
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = Key, ComputesOnLane = true } });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7925 17"), Trait("RFC", "5246 7.4.1.1"), Trait("RFC", "5246 7.2.2")]
    public async Task Renegotiation_is_refused_and_the_session_continues()
    {
        var answer = Ask();

        _server.Send(ContentType.Handshake, [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0]);     // HelloRequest
        Run(0.1);
        Answer("on");

        _server.Alerts.Should().ContainSingle().Which.Should().Equal(Warning, NoRenegotiation);
        _server.HandshakeMessages.Should().BeEmpty("a client begins no renegotiation");
        (await answer).PayloadText.Should().Be("on");
    }

    [Theory, Trait("RFC", "6347 4.1.2.7"), InlineData(ContentType.Alert, "02"), InlineData(ContentType.Handshake, ""), InlineData((ContentType)99, "0102")]
    public async Task Malformed_contents_change_nothing(object type, string content)
    {
        var answer = Ask();

        _server.Send((ContentType)type, Convert.FromHexString(content));
        Run(0.1);
        Answer("on");

        _server.Alerts.Should().BeEmpty();
        (await answer).PayloadText.Should().Be("on");
    }

    [Fact, Trait("RFC", "6347 4.2.4")]
    public async Task Data_before_the_Finished_of_the_server_is_dropped()
    {
        const int LastFlight = 3;       // behind the one with the cookie and the one with the ServerHello
        const int Reset = 3;
        _wire.Drop(Direction.ToClient, LastFlight);
        var answer = _client.Send(new CoapRequest(RequestCode.Get, "/lamp"), PeerNames.OfServer(_wire.Server, "server"));
        Run(0.2);

        _server.Send(ContentType.ApplicationData, Ping(1));
        Run(0.2);
        _server.Messages.Should().BeEmpty();
        Run(1);     // the client repeats its flight, and so does the server
        var request = _server.Messages.Should().ContainSingle("a Reset to the ping would be another one").Subject;
        _server.Send(ContentType.ApplicationData, Ping(2));
        Run(0.1);
        (_server.Messages[^1].Type, _server.Messages[^1].Id).Should().Be((Reset, 2));
        _server.Send($"ACK [0x{request.Id:x4}] 2.05 Content (Token 0x{Convert.ToHexString(request.Token)}) 'on'");
        Run(0.1);

        (await answer).PayloadText.Should().Be("on");

        static byte[] Ping(byte id) => [0x40, 0, 0, id];
    }

    [Fact, Trait("RFC", "5246 7.2.1")]
    public void The_end_of_a_session_is_confirmed()
    {
        Ask();

        _server.Send(ContentType.Alert, [Warning, CloseNotify]);
        Run(0.1);

        _server.Alerts.Should().ContainSingle().Which.Should().Equal(Warning, CloseNotify);
    }

    private Task<CoapResponse> Ask()
    {
        var answer = _client.Send(new CoapRequest(RequestCode.Get, "/lamp"), PeerNames.OfServer(_wire.Server, "server"));
        Run(1);
        _server.Messages.Should().ContainSingle();
        return answer;
    }

    private void Answer(string text)
    {
        var request = _server.Messages[^1];
        _server.Send($"ACK [0x{request.Id:x4}] 2.05 Content (Token 0x{Convert.ToHexString(request.Token)}) '{text}'");
        Run(0.1);
    }

    private void Run(double seconds) => _wire.RunFor(TimeSpan.FromSeconds(seconds));
}
