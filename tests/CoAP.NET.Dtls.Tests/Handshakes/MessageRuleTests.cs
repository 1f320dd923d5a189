using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>The messages behind the hellos: their order, their contents, and what becomes of wrong ones.</summary>
public sealed class MessageRuleTests : IDisposable
{
    private const byte CertificateMessage = 11, ServerKeyExchange = 12, CertificateRequest = 13, ServerHelloDone = 14, CertificateVerify = 15, ClientKeyExchange = 16, Finished = 20;
    private const byte ServerHello = 2, Ticket = 4, ChangeCipherSpec = 0;

    private readonly TestAuthority _authority = new();
    private readonly X509Certificate2 _ofServer, _ofClient;
    private readonly ServerHandshakes _server;

    public MessageRuleTests()
    {
        (_ofServer, _ofClient) = (_authority.IssueServer("server.example"), _authority.IssueClient("device-7"));
        _server = new ServerHandshakes(new() { Certificate = TlsCertificateSource.From(_ofServer), TrustedRoots = [_authority.Root] });
    }

    public void Dispose()
    {
        _server.Dispose();
        _ofServer.Dispose();
        _ofClient.Dispose();
        _authority.Dispose();
    }

    [Fact, Trait("RFC", "5246 7.4"), Trait("RFC", "5246 7.4.2"), Trait("RFC", "5246 7.4.6"), Trait("RFC", "5246 7.4.7"), Trait("RFC", "5246 7.4.8")]
    public void The_flights_with_certificates_have_the_order_of_the_RFC()
    {
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root], Certificate = _ofClient });
        using var cut = MessagePair.WithSettings(_server, client);

        var ofServer = cut.Answer();
        MessagePair.Pass(ofServer, cut.Client);
        var ofClient = cut.Client.TakeOutput();
        MessagePair.Pass(ofClient, cut.Server);

        TypesOf(ofServer).Should().Equal(ServerHello, CertificateMessage, ServerKeyExchange, CertificateRequest, ServerHelloDone);
        TypesOf(ofClient).Should().Equal(CertificateMessage, ClientKeyExchange, CertificateVerify, ChangeCipherSpec, Finished);
        TypesOf(cut.Server.TakeOutput()).Should().Equal(Ticket, ChangeCipherSpec, Finished);
        CertificatesOf(ofServer).Should().ContainSingle().Which.Should().Equal(_ofServer.RawData);
        CertificatesOf(ofClient).Should().ContainSingle().Which.Should().Equal(_ofClient.RawData);
    }

    // Three certificates below the trusted one. The server is configured with those between in the wrong order.
    [Fact, Trait("RFC", "5246 7.4.2"), Trait("RFC", "7925 4.4.4")]
    public void Each_certificate_of_a_chain_certifies_the_one_before_it()
    {
        using ECDsa ofRoot = NewKey(), ofUpper = NewKey(), ofLower = NewKey(), ofEnd = NewKey();
        using var root = Authority("CN=Root", ofRoot).CreateSelfSigned(Now.AddDays(-2), Now.AddDays(9));
        using var upper = Issue(Authority("CN=Upper", ofUpper), root, ofRoot, 1);
        using var lower = Issue(Authority("CN=Lower", ofLower), upper, ofUpper, 2);
        using var unsigned = Issue(new CertificateRequest("CN=server.example", ofEnd, HashAlgorithmName.SHA256), lower, ofLower, 3);
        using var end = unsigned.CopyWithPrivateKey(ofEnd);
        using var server = new ServerHandshakes(new() { Certificate = new Chain(SslStreamCertificateContext.Create(end, [upper, lower], offline: true)) });
        using var client = new ClientHandshakes(new() { TrustedRoots = [root] });
        using var cut = MessagePair.WithSettings(server, client);

        var answer = cut.Answer();
        MessagePair.Pass(answer, cut.Client);

        CertificatesOf(answer).Select(Convert.ToHexString).Should().Equal(new[] { end, lower, upper }.Select(static one => Convert.ToHexString(one.RawData)));
        cut.Client.TakeOutput().Should().Contain(static one => one.Content[0] == Finished, "the client trusts the chain");
    }

    [Fact, Trait("RFC", "5246 7.4.6"), Trait("RFC", "5246 7.4.7")]
    public void A_client_without_a_certificate_sends_an_empty_list()
    {
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root] });
        using var cut = MessagePair.WithSettings(_server, client);

        MessagePair.Pass(cut.Answer(), cut.Client);
        var ofClient = cut.Client.TakeOutput();
        MessagePair.Pass(ofClient, cut.Server);

        TypesOf(ofClient).Should().Equal(CertificateMessage, ClientKeyExchange, ChangeCipherSpec, Finished);
        CertificatesOf(ofClient).Should().BeEmpty();
        cut.Server.IsDone.Should().BeTrue("the server asks, but does not require a certificate");
    }

    [Fact, Trait("RFC", "5246 7.4"), Trait("RFC", "5246 7.4.7")]
    public void The_flights_with_a_pre_shared_key_have_the_order_of_the_RFC()
    {
        using var cut = MessagePair.WithKeys();

        var ofServer = cut.Answer();
        MessagePair.Pass(ofServer, cut.Client);
        var ofClient = cut.Client.TakeOutput();

        TypesOf(ofServer).Should().Equal(ServerHello, ServerHelloDone);
        TypesOf(ofClient).Should().Equal(ClientKeyExchange, ChangeCipherSpec, Finished);
    }

    [Theory, Trait("RFC", "5246 7.4"), InlineData(CertificateVerify), InlineData(ServerHello), InlineData(99)]
    public void A_message_out_of_order_ends_the_handshake_of_a_server(byte type)
    {
        using var cut = MessagePair.WithKeys();
        cut.Answer();

        MessagePair.AlertOf(cut.Server, Message(type, sequence: 2, [1, 2, 3])).Should().Be(AlertDescription.UnexpectedMessage);
    }

    [Theory, Trait("RFC", "5246 7.4"), InlineData(ServerHelloDone), InlineData(ClientKeyExchange), InlineData(99)]
    public void A_message_out_of_order_ends_the_handshake_of_a_client(byte type)
    {
        using var cut = MessagePair.WithKeys();
        cut.Answer();

        MessagePair.AlertOf(cut.Client, Message(type, sequence: 1, [])).Should().Be(AlertDescription.UnexpectedMessage);
    }

    [Fact, Trait("RFC", "5246 7.4"), Trait("RFC", "5246 7.4.9")]
    public void A_Finished_before_the_key_exchange_ends_the_handshake()
    {
        using var cut = MessagePair.WithKeys();
        cut.Answer();

        FluentActions.Invoking(() => cut.Server.Feed(Message(Finished, sequence: 2, new byte[12])))
            .Should().Throw<CryptographicException>().WithMessage("The Finished of the peer came before its key exchange.");
    }

    [Theory, Trait("RFC", "5246 7.4.9"), InlineData(true), InlineData(false)]
    public void A_Finished_with_other_contents_ends_the_handshake(bool ofClient)
    {
        using var cut = MessagePair.WithKeys();
        MessagePair.Pass(cut.Answer(), cut.Client);
        var (from, to) = (cut.Client, cut.Server);
        if (!ofClient)
        {
            MessagePair.Pass(cut.Client.TakeOutput(), cut.Server);
            (from, to) = (cut.Server, cut.Client);
        }
        var flight = from.TakeOutput();

        MessagePair.Pass(flight.SkipLast(1), to);
        var finished = flight[^1].Content;
        finished[0].Should().Be(Finished);
        finished[^1] ^= 1;

        MessagePair.AlertOf(to, finished).Should().Be(AlertDescription.DecryptError);
        to.IsDone.Should().BeFalse();
    }

    [Fact, Trait("RFC", "5246 7.4.8")]
    public void A_wrong_signature_of_a_client_ends_the_handshake()
    {
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root], Certificate = _ofClient });
        using var cut = MessagePair.WithSettings(_server, client);
        MessagePair.Pass(cut.Answer(), cut.Client);
        var flight = cut.Client.TakeOutput();

        MessagePair.Pass(flight.Take(2), cut.Server);
        var verify = flight[2].Content;
        verify[0].Should().Be(CertificateVerify);
        verify[^1] ^= 1;

        MessagePair.AlertOf(cut.Server, verify).Should().Be(AlertDescription.DecryptError);
    }

    [Theory, Trait("RFC", "5246 7.4.3"), Trait("RFC", "5246 7.4.1.4.1"), InlineData("ECDSA+SHA384", 5, 3), InlineData("RSA+SHA256:ECDSA+SHA512", 6, 3)]
    public void A_server_signs_with_an_algorithm_of_the_client(string algorithms, byte hash, byte signature)
    {
        var context = SslContext.ForCertificates(isServer: false, "ECDHE-ECDSA-AES128-CCM8", own: null, []);
        SetAlgorithms(context, algorithms);
        var client = new OpenSslHandshake(context, null) { Peer = new() { Certificates = new CertificateCheck([_authority.Root], "server.example") } };
        client.Begin();
        using var cut = new MessagePair(client, (byte[] hello, out OpenSslHandshake created) => _server.Begin(out created, new HandshakeStart(null, hello, default)));

        var exchange = cut.Answer().Single(static one => one.Content[0] == ServerKeyExchange).Content[HandshakeHeader.Size..];

        const int PointAt = 3;      // behind the type of the curve and its name
        exchange[(PointAt + 1 + exchange[PointAt])..][..2].Should().Equal(hash, signature);
    }

    [Theory, Trait("RFC", "5246 7.4.8"), InlineData("ECDSA+SHA384", 5, 3), InlineData("RSA+SHA256:ECDSA+SHA512", 6, 3)]
    public void A_client_signs_with_an_algorithm_of_the_server(string algorithms, byte hash, byte signature)
    {
        using var context = SslContext.ForCertificates(isServer: true, "ECDHE-ECDSA-AES128-CCM8", _ofServer, [], asks: true);
        SetAlgorithms(context, algorithms);
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root], Certificate = _ofClient });
        using var cut = MessagePair.WithCertificates(context, new CertificateCheck([_authority.Root]), client);

        MessagePair.Pass(cut.Answer(), cut.Client);

        cut.Client.TakeOutput().Single(static one => one.Content[0] == CertificateVerify).Content[HandshakeHeader.Size..][..2].Should()
            .Equal(hash, signature);
    }

    [Theory, Trait("RFC", "5246 7.4.6"), InlineData("ECDSA+SHA256", false), InlineData("ECDSA+SHA256:RSA+SHA256", true)]
    public void A_client_sends_no_certificate_whose_key_fits_no_algorithm_of_the_server(string algorithms, bool fits)
    {
        using var ofClient = _authority.IssueServer("device-7", isRsa: true);
        using var context = SslContext.ForCertificates(isServer: true, "ECDHE-ECDSA-AES128-CCM8", _ofServer, [], asks: true);
        SetAlgorithms(context, algorithms);
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root], Certificate = ofClient });
        using var cut = MessagePair.WithCertificates(context, new CertificateCheck([_authority.Root]), client);

        MessagePair.Pass(cut.Answer(), cut.Client);
        var flight = cut.Client.TakeOutput();

        CertificatesOf(flight).Select(Convert.ToHexString).Should().Equal(fits ? new[] { Convert.ToHexString(ofClient.RawData) } : []);
        TypesOf(flight).Contains(CertificateVerify).Should().Be(fits);
    }

    [Fact, Trait("RFC", "5246 7.4.3")]
    public void A_server_does_not_choose_a_suite_for_which_the_client_names_no_algorithm()
    {
        const int SignatureAlgorithms = 13;
        byte[] onlyRsaWithSha256 = [0, 2, 4, 1];
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root] });
        using var cut = MessagePair.WithSettings(_server, client);

        cut.AlertOfAnswer(hello => hello.Without(SignatureAlgorithms).With(SignatureAlgorithms, onlyRsaWithSha256).ToBytes()).Should().Be(AlertDescription.HandshakeFailure);
    }

    [SkippableTheory, Trait("RFC", "7250 3"), Trait("RFC", "7250 4.2"), InlineData(true), InlineData(false)]
    public void A_server_with_a_raw_public_key_confirms_the_type_of_a_client_key_only_if_it_requests_one(bool requests)
    {
        const int ClientKeyType = 19, ServerKeyType = 20, Length = 3;
        Skip.IfNot(OpenSslLibrary.HasRawPublicKeys, $"Raw public keys need OpenSSL 3.2; this system has {OpenSslLibrary.Version}.");
        using ECDsa ofServer = NewKey(), ofClient = NewKey();
        using var server = new ServerHandshakes(new() { RawKeyPair = ofServer, ValidateRawClientKey = requests ? static _ => true : null });
        using var client = new ClientHandshakes(new() { RawKeyPair = ofClient, ValidateRawServerKey = static (_, _) => true });
        using var cut = MessagePair.WithSettings(server, client);

        var answer = cut.Answer();

        var hello = HelloParts.Read(answer[0].Content);
        hello.ContentOf(ServerKeyType).Should().Equal(ClientHello.RawPublicKey);
        hello.ContentOf(ClientKeyType).Should().BeEquivalentTo(requests ? (byte[])[ClientHello.RawPublicKey] : null);
        TypesOf(answer).Contains(CertificateRequest).Should().Be(requests);
        answer.Single(static one => one.Content[0] == CertificateMessage).Content[(HandshakeHeader.Size + Length)..].Should().Equal(ofServer.ExportSubjectPublicKeyInfo());
    }

    private static unsafe void SetAlgorithms(SslContext context, string algorithms)
    {
        fixed (byte* start = Encoding.ASCII.GetBytes(algorithms + '\0')) { SslCalls.ControlContext(context, SslCalls.SetSignatureAlgorithms, 0, (nint)start).Should().Be(1); }
    }

    private static IEnumerable<byte> TypesOf(IEnumerable<HandshakeOutput> flight) =>
        flight.Select(static one => one.Type == ContentType.ChangeCipherSpec ? ChangeCipherSpec : one.Content[0]);

    private static List<byte[]> CertificatesOf(IEnumerable<HandshakeOutput> flight)
    {
        const int Length = 3;       // of the list, and of each certificate
        var rest = flight.Single(static one => one.Content[0] == CertificateMessage).Content.AsSpan(HandshakeHeader.Size + Length);
        var certificates = new List<byte[]>();
        while (!rest.IsEmpty)
        {
            var length = (rest[0] << 16) | (rest[1] << 8) | rest[2];
            certificates.Add(rest.Slice(Length, length).ToArray());
            rest = rest[(Length + length)..];
        }
        return certificates;
    }

    private static DateTimeOffset Now { get; } = DateTimeOffset.UtcNow;

    private static ECDsa NewKey() => ECDsa.Create(ECCurve.NamedCurves.nistP256);

    private static CertificateRequest Authority(string name, ECDsa key)
    {
        var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        return request;
    }

    private static X509Certificate2 Issue(CertificateRequest request, X509Certificate2 issuer, ECDsa key, byte serial) =>
        request.Create(issuer.SubjectName, X509SignatureGenerator.CreateForECDsa(key), Now.AddDays(-1), Now.AddDays(8 - serial), [serial]);

    private sealed class Chain(SslStreamCertificateContext context) : TlsCertificateSource
    {
        public override SslStreamCertificateContext Select(string hostName) => context;
    }

    private static byte[] Message(byte type, ushort sequence, byte[] body)
    {
        byte[] message = [.. new byte[HandshakeHeader.Size], .. body];
        new HandshakeHeader((HandshakeType)type, body.Length, sequence, 0, body.Length).Write(message);
        return message;
    }
}
