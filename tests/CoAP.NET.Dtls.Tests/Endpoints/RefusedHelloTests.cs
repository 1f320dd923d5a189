using CoAP.Dtls;
using CoAP.Tests.Dtls.Handshakes;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>What a client does if a server answers its hello with an alert, in simulated time.</summary>
public sealed class RefusedHelloTests : IDisposable
{
    private const int HeaderLength = 13;

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
    private readonly ScriptedPeer _server;
    private readonly LaneEnd _client;

    public RefusedHelloTests()
    {
        _server = ScriptedPeer.Server(_wire);
        var settings = new DtlsClientSettings { PreSharedKey = new("device-7", "a key of 16 bytes"u8), ComputesOnLane = true };
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Dtls = settings });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7925 18")]
    public void After_protocol_version_neither_the_call_nor_the_next_one_tries_an_earlier_version()
    {
        string[] errors = [Refuse(AlertDescription.ProtocolVersion), Refuse(AlertDescription.ProtocolVersion)];

        var hellos = _wire.Sent(Direction.ToServer).Select(static one => HelloParts.Read(one.Bytes[HeaderLength..])).ToArray();
        errors.Should().OnlyContain(static error => error.Contains("ProtocolVersion (70)"));
        hellos.Select(static hello => (hello.Type, hello.Version)).Should()
            .Equal(Enumerable.Repeat((HandshakeType.ClientHello, DtlsRecord.Version), 2), "each call sends one");
        hellos[1].Random.Should().NotEqual(hellos[0].Random);
    }

    [Fact, Trait("RFC", "4279 2")]
    public void A_server_may_say_that_it_does_not_know_an_identity() =>
        Refuse(AlertDescription.UnknownPskIdentity).Should().Contain("UnknownPskIdentity (115)")
            .And.Contain("does not know the PSK identity 'device-7'");

    // The client believes the alert if nothing else arrives before it would send its hello again.
    private string Refuse(AlertDescription description)
    {
        var answer = _client.Send(new CoapRequest(RequestCode.Get, "/"), PeerNames.OfServer(_wire.Server, "server"));
        _server.TakeAll(0.1);
        byte[] alert = [(byte)ContentType.Alert, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, (byte)description];
        _server.Send(alert);
        _wire.RunFor(TimeSpan.FromSeconds(2));
        return answer.Exception!.InnerException.Should().BeOfType<CoapSecurityException>().Which.Message;
    }
}
