using System.Security.Cryptography;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Sessions that continue earlier ones (RFC 5246, section 7.3; RFC 5077).</summary>
public sealed class ResumptionTests : IDisposable
{
    private const byte Certificate = 11, ClientKeyExchange = 16;

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    // A client begins another session when its retransmissions have no answer.
    private static readonly TransmissionParameters Fast = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromMilliseconds(100) };

    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [Theory, Trait("RFC", "7925 7"), Trait("RFC", "5246 7.3"), Trait("RFC", "5077 3"), InlineData(true), InlineData(false)]
    public async Task A_client_resumes_unless_one_side_does_not_allow_it(bool allows)
    {
        await using var cut = Pair(new() { PreSharedKeys = PskStore.From(Key), AllowsResumption = allows }, new() { PreSharedKey = Key });

        var messages = await BeginTwiceAsync(cut, "device-7");

        messages.Contains(ClientKeyExchange).Should().Be(!allows);
    }

    [Fact, Trait("RFC", "5246 7.3")]
    public async Task A_client_that_does_not_allow_it_begins_anew()
    {
        await using var cut = Pair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key, AllowsResumption = false });

        (await BeginTwiceAsync(cut, "device-7")).Should().Contain(ClientKeyExchange);
    }

    [Fact, Trait("RFC", "5077 3")]
    public async Task A_resumed_session_has_the_certificate_of_the_first_one()
    {
        using var ofServer = _authority.IssueServer("127.0.0.1");
        using var ofClient = _authority.IssueClient("device-7");
        await using var cut = Pair(
            new() { Certificate = TlsCertificateSource.From(ofServer), TrustedRoots = [_authority.Root], RequiresClientCertificate = true },
            new() { Certificate = ofClient, TrustedRoots = [_authority.Root] });

        var messages = await BeginTwiceAsync(cut, "CN=device-7");

        messages.Should().NotContain(Certificate).And.NotContain(ClientKeyExchange);
    }

    [SkippableFact, Trait("RFC", "5077 3")]
    public async Task A_resumed_session_has_the_raw_public_key_of_the_first_one()
    {
        Skip.IfNot(OpenSslLibrary.HasRawPublicKeys, $"Raw public keys need OpenSSL 3.2; this system has {OpenSslLibrary.Version}.");
        using ECDsa ofServer = ECDsa.Create(ECCurve.NamedCurves.nistP256), ofClient = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var checks = 0;
        await using var cut = Pair(
            new() { RawKeyPair = ofServer, ValidateRawClientKey = RawPublicKey.From(ofClient).Equals },
            new() { RawKeyPair = ofClient, ValidateRawServerKey = (_, _) => ++checks > 0 });

        var messages = await BeginTwiceAsync(cut, RawPublicKey.From(ofClient).Identifier);

        messages.Should().NotContain(Certificate).And.NotContain(ClientKeyExchange);
        checks.Should().Be(1);
    }

    // The session of the first server is unknown to the second one, and only the ticket has what it needs.
    [Theory, Trait("RFC", "5077 4"), InlineData(true), InlineData(false)]
    public async Task Servers_with_the_same_secret_resume_each_others_sessions(bool isShared)
    {
        byte[] secret = RandomNumberGenerator.GetBytes(32), other = RandomNumberGenerator.GetBytes(32);
        byte[] same = [.. secret];
        var settings = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), TicketSecret = secret, ConnectionIdLength = null };
        await using var first = Pair(settings, new() { PreSharedKey = Key });
        Array.Clear(secret);        // the server has a copy
        await using var second = Pair(settings with { TicketSecret = isShared ? same : other }, new() { PreSharedKey = Key });
        using var relay = new UdpRelay(first.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await first.Client.GetAsync(origin + "/who");
        var messages = Record(relay);
        relay.MoveTo(second.Server.Endpoints[0].Address);

        var answer = await AskUntilAnsweredAsync(first.Client, origin + "/who");

        answer.PayloadText.Should().Be("device-7");
        messages.Contains(ClientKeyExchange).Should().Be(!isShared);
    }

    // On a busy machine, the client may find out too late that the session is lost. The next request begins another one.
    private static async Task<CoapResponse> AskUntilAnsweredAsync(CoapClient client, string uri)
    {
        for (var attempts = 1; ; attempts++)
        {
            try { return await client.GetAsync(uri); }
            catch (CoapTimeoutException) when (attempts < 10)
            {
                // As said above.
            }
        }
    }

    [Fact]
    public void A_short_secret_is_refused() =>
        FluentActions.Invoking(() => new DtlsServerSettings { TicketSecret = new byte[16] }).Should().Throw<ArgumentException>().WithMessage("*16 bytes*at least 32*");

    // Without connection IDs a NAT ends the session.
    private static async Task<HashSet<byte>> BeginTwiceAsync(SecuredPair cut, string who)
    {
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        (await cut.Client.GetAsync(origin + "/who")).PayloadText.Should().Be(who);
        var messages = Record(relay);
        relay.Move();

        (await cut.Client.GetAsync(origin + "/who")).PayloadText.Should().Be(who);

        return messages;
    }

    // The types of the handshake messages that are sent in the clear.
    private static HashSet<byte> Record(UdpRelay relay)
    {
        var types = new HashSet<byte>();
        relay.Passes = (datagram, _) =>
        {
            var rest = datagram.ToArray().AsSpan();
            while (DtlsRecord.TryRead(ref rest, 8, out var record))
            {
                if (record is { Type: ContentType.Handshake, Number.Epoch: 0 }) { lock (types) { types.Add(record.Body[0]); } }
            }
            return true;
        };
        return types;
    }

    private static SecuredPair Pair(DtlsServerSettings server, DtlsClientSettings client) =>
        new(server with { ConnectionIdLength = null }, client with { ConnectionIdLength = null }, isInMemory: false, transmission: Fast);
}
