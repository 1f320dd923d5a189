using System.Security.Cryptography.X509Certificates;
using CoAP.Dtls;
using CoAP.Tests.Dtls.Certificates;
using CoAP.Tests.Dtls.Handshakes;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A client that asks for short records (RFC 6066, section 4) and a server of ours, in simulated time.</summary>
public sealed class ShortRecordTests : IDisposable
{
    private const int HeaderLength = 13, MaxFragmentLength = 1;
    private const byte ServerHello = 2, Certificate = 11;

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
    private readonly TestAuthority _authority = new();
    private readonly X509Certificate2 _ofServer, _ofClient;
    private readonly LaneEnd _server;

    public ShortRecordTests()
    {
        _ofServer = _authority.IssueServer("server", AddNames);
        _ofClient = _authority.IssueClient("device-7", AddNames);
        var settings = new DtlsServerSettings
        {
            Certificate = TlsCertificateSource.From(_ofServer),
            TrustedRoots = [_authority.Root],
            RequiresClientCertificate = true,
            ComputesOnLane = true,
        };
        _server = LaneEnd.Server(
            _wire,
            static map =>
            {
                map.At("large").Get(static (_, _) => new(Response.Content(new byte[3000], 42)));
                map.At("store").Put(static (request, _) => new(Response.Content($"{request.Payload.Length} bytes")));
            },
            // On a handler thread, simulated time could run ahead of the handler.
            new CoapServerSettings { Dtls = settings, MaxInlinePayload = 4096 });
    }

    public void Dispose()
    {
        _server.Dispose();
        _ofServer.Dispose();
        _ofClient.Dispose();
        _authority.Dispose();
    }

    [Theory, Trait("RFC", "6066 4"), Trait("RFC", "7925 15"), InlineData(512), InlineData(1024)]
    public async Task The_datagrams_of_both_sides_stay_within_the_length_that_the_client_asks_for(int length)
    {
        using var client = Client(length);

        var put = await RunAsync(client, new CoapRequest(RequestCode.Put, "/store") { Payload = new byte[3000] });
        var get = await RunAsync(client, new CoapRequest(RequestCode.Get, "/large"));

        (put.PayloadText, get.Payload.Length).Should().Be(("3000 bytes", 3000));
        HelloParts.Read(_wire.Sent(Direction.ToServer)[0].Bytes[HeaderLength..]).ContentOf(MaxFragmentLength).Should()
            .Equal((byte)(length / 512));
        new[] { _ofServer.RawData.Length, _ofClient.RawData.Length }.Should()
            .OnlyContain(bytes => bytes > length, "the messages with the certificates are cut");
        foreach (var direction in new[] { Direction.ToServer, Direction.ToClient })
        {
            _wire.Sent(direction).Max(static datagram => datagram.Bytes.Length).Should().BeInRange(length, length + HeaderLength);
        }
    }

    [Fact, Trait("RFC", "6066 4")]
    public async Task Without_the_setting_they_are_longer()
    {
        using var client = Client(length: null);

        (await RunAsync(client, new CoapRequest(RequestCode.Get, "/large"))).Payload.Length.Should().Be(3000);

        _wire.Sent(Direction.ToClient).Max(static datagram => datagram.Bytes.Length).Should().BeGreaterThan(1024 + HeaderLength);
    }

    [Fact, Trait("RFC", "6066 4")]
    public async Task A_resumed_session_has_the_length_of_the_first_one()
    {
        using var client = Client(512, sessionTimeout: TimeSpan.FromSeconds(5));
        (await RunAsync(client, new CoapRequest(RequestCode.Get, "/large"))).Payload.Length.Should().Be(3000);
        MessagesToClient().Should().Contain(Certificate);
        _wire.RunFor(TimeSpan.FromMinutes(1));
        var sent = _wire.Sent(Direction.ToClient).Count;

        (await RunAsync(client, new CoapRequest(RequestCode.Get, "/large"))).Payload.Length.Should().Be(3000);

        MessagesToClient(sent).Should().Contain(ServerHello).And.NotContain(Certificate, "the session is resumed");
        _wire.Sent(Direction.ToClient).Max(static datagram => datagram.Bytes.Length).Should().BeLessThanOrEqualTo(512 + HeaderLength);
    }

    private static void AddNames(SubjectAlternativeNameBuilder names)
    {
        names.AddDnsName("server");
        for (var i = 0; i < 60; i++) { names.AddDnsName($"name-{i}.of-the-test.example"); }
    }

    private LaneEnd Client(int? length, TimeSpan? sessionTimeout = null)
    {
        var settings = new DtlsClientSettings
        {
            TrustedRoots = [_authority.Root],
            Certificate = _ofClient,
            MaxFragmentLength = length,
            ComputesOnLane = true,
        };
        return LaneEnd.Client(_wire,
            new CoapClientSettings { Dtls = settings with { SessionTimeout = sessionTimeout ?? settings.SessionTimeout } });
    }

    // The types of the handshake messages in the clear.
    private List<byte> MessagesToClient(int behind = 0)
    {
        var types = new List<byte>();
        foreach (var datagram in _wire.Sent(Direction.ToClient).Skip(behind))
        {
            var rest = datagram.Bytes.ToArray().AsSpan();
            while (DtlsRecord.TryRead(ref rest, 0, out var record))
            {
                if (record is { Type: ContentType.Handshake, Number.Epoch: 0 }) { types.Add(record.Body[0]); }
            }
        }
        return types;
    }

    private async Task<CoapResponse> RunAsync(LaneEnd client, CoapRequest request)
    {
        var answer = client.Send(request, PeerNames.OfServer(_wire.Server, "server"));
        _wire.RunUntil(() => answer.IsCompleted, TimeSpan.FromMinutes(1)).Should().BeTrue();
        return await answer;
    }
}
