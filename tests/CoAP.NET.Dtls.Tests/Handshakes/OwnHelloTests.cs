using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>What our hellos contain.</summary>
public sealed class OwnHelloTests : IDisposable
{
    private const int ServerName = 0, MaxFragmentLength = 1, TruncatedHmac = 4, Groups = 10, SignatureAlgorithms = 13, ClientKeyType = 19,
        ServerKeyType = 20;
    private const int EncryptThenMac = 22, ExtendedMasterSecret = 23;
    private const ushort RenegotiationInfo = 0x00FF;     // stands for the extension of RFC 5746

    private static readonly PreSharedKey Key = new("A", [1, 2, 3]);

    private readonly TestAuthority _authority = new();
    private readonly X509Certificate2 _certificate;
    private readonly ServerHandshakes _server;

    public OwnHelloTests()
    {
        _certificate = _authority.IssueServer("server.example");
        _server = new ServerHandshakes(new() { PreSharedKeys = PskStore.From(Key), Certificate = TlsCertificateSource.From(_certificate) });
    }

    public void Dispose()
    {
        _server.Dispose();
        _certificate.Dispose();
        _authority.Dispose();
    }

    [Theory, Trait("RFC", "7925 13"), Trait("RFC", "7925 18"), Trait("RFC", "6347 4.1.2.2"), Trait("RFC", "5246 7.4.1.2"), Trait("RFC", "5246 7.4.1.4")]
    [InlineData(true), InlineData(false)]
    public void A_client_offers_DTLS_1_2_with_AEAD_suites_and_without_compression(bool hasKey)
    {
        using var client = new ClientHandshakes(hasKey ? new() { PreSharedKey = Key } : new() { TrustedRoots = [_authority.Root] });
        using var cut = Pair(client);

        var hello = cut.FirstHello;

        hello.Version.Should().Be(DtlsRecord.Version);
        hello.Suites.Where(static id => id != RenegotiationInfo).Should().NotBeEmpty().And.OnlyContain(static id => CipherSuite.Find(id) != null, "all of these use an AEAD");
        hello.Compressions.Should().Equal(0);
        hello.ExtensionTypes.Should().OnlyHaveUniqueItems().And.NotContain([TruncatedHmac, EncryptThenMac]);
    }

    [Theory, Trait("RFC", "6347 4.2.1"), InlineData(true), InlineData(false)]
    public void The_second_hello_differs_from_the_first_by_its_cookie_only(bool hasKey)
    {
        using var client = new ClientHandshakes(hasKey ? new() { PreSharedKey = Key } : new() { TrustedRoots = [_authority.Root] });
        using var cut = Pair(client);

        cut.Answer();

        var (first, second) = (cut.FirstHello, cut.SecondHello);
        first.Cookie.Should().BeEmpty();
        second.Cookie.Should().NotBeEmpty();
        (second.Sequence, first.Sequence).Should().Be(((ushort)1, (ushort)0));
        (second with { Cookie = [], Sequence = 0 }).ToBytes().Should().Equal(first.ToBytes());
    }

    [Fact, Trait("RFC", "5246 7.4.1.4.1"), Trait("RFC", "7925 5")]
    public void A_client_with_certificates_names_its_signature_algorithms()
    {
        const byte Sha1 = 2, Anonymous = 0;
        byte[] ecdsaWithSha256 = [4, 3];
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root] });
        using var cut = Pair(client);

        byte[][] pairs = [.. cut.FirstHello.ContentOf(SignatureAlgorithms)!.Skip(2).Chunk(2)];

        pairs[0].Should().Equal(ecdsaWithSha256);
        pairs.Should().OnlyContain(static pair => pair[0] > Sha1 && pair[1] != Anonymous);
    }

    [Theory, Trait("RFC", "6066 3"), Trait("RFC", "7925 14")]
    [InlineData("server.example", "server.example"), InlineData("b\u00fccher.example", "xn--bcher-kva.example"), InlineData("server.example.", "server.example")]
    [InlineData("10.0.0.1", null), InlineData("::1", null), InlineData("[::1]", null)]
    public void The_name_of_the_server_is_sent_once_and_an_address_is_not(string host, string? expected)
    {
        using var client = new ClientHandshakes(new() { PreSharedKey = Key });
        using var cut = Pair(client, host);

        var content = cut.FirstHello.ContentOf(ServerName);

        if (expected is null) { content.Should().BeNull(); }
        else { content.Should().Equal([0, (byte)(expected.Length + 3), 0, 0, (byte)expected.Length, .. Encoding.ASCII.GetBytes(expected)]); }
    }

    [Theory, Trait("RFC", "7250 4.1"), InlineData(true), InlineData(false)]
    public void Without_raw_public_keys_a_client_does_not_mention_types_of_certificates(bool hasKey)
    {
        using var certificate = _authority.IssueClient("device-7");
        using var client = new ClientHandshakes(hasKey ? new() { PreSharedKey = Key } : new() { TrustedRoots = [_authority.Root], Certificate = certificate });
        using var cut = Pair(client);

        cut.FirstHello.ExtensionTypes.Should().NotContain([ClientKeyType, ServerKeyType]);
    }

    [SkippableTheory, Trait("RFC", "7250 4.1"), InlineData(true), InlineData(false)]
    public void A_client_with_raw_public_keys_offers_only_what_it_has(bool hasOwn)
    {
        Skip.IfNot(OpenSslLibrary.HasRawPublicKeys, $"Raw public keys need OpenSSL 3.2; this system has {OpenSslLibrary.Version}.");
        using var own = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var client = new ClientHandshakes(new() { ValidateRawServerKey = static (_, _) => true, RawKeyPair = hasOwn ? own : null });
        using var cut = Pair(client);

        byte[] onlyRawKeys = [1, ClientHello.RawPublicKey];
        cut.FirstHello.ContentOf(ServerKeyType).Should().Equal(onlyRawKeys);
        cut.FirstHello.ContentOf(ClientKeyType).Should().BeEquivalentTo(hasOwn ? onlyRawKeys : null);
    }

    // The server has not the first suite of the client, so the session has another one.
    [Fact, Trait("RFC", "5246 7.4.1.2"), Trait("RFC", "6066 3")]
    public void A_client_that_resumes_offers_what_the_session_has()
    {
        const string OfClient = "PSK-AES128-CCM8:PSK-AES128-GCM-SHA256";
        const ushort SuiteOfSession = 0x00A8;
        using var context = SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-GCM-SHA256",
            new Resumption(TimeSpan.FromHours(1), new byte[32], 10));
        using var first = MessagePair.WithKeys(context, prepare: static client => client.SetServerName("server.example"),
            ciphers: OfClient);
        MessagePair.Pass(first.Answer(), first.Client);
        MessagePair.Pass(first.Client.TakeOutput(), first.Server);
        MessagePair.Pass(first.Server.TakeOutput(), first.Client);
        first.Client.Suite!.Id.Should().Be(SuiteOfSession);
        var earlier = first.Client.ExportForResumption()!;

        using var second = MessagePair.WithKeys(context, ciphers: OfClient, prepare: client =>
        {
            client.SetServerName("server.example");
            client.Resume(earlier);
        });
        MessagePair.Pass(second.Answer(), second.Client);

        second.FirstHello.Suites.Should().Contain(SuiteOfSession);
        second.Client.IsResumed.Should().BeTrue();
        second.Client.Suite!.Id.Should().Be(SuiteOfSession);
        second.FirstHello.Compressions.Should().Equal(0);
        second.FirstHello.ContentOf(ServerName).Should().Equal(first.FirstHello.ContentOf(ServerName));
        second.FirstHello.ContentOf(MaxFragmentLength).Should().BeNull();
    }

    [Theory, Trait("RFC", "6066 4"), Trait("RFC", "7925 15")]
    [InlineData(512, 1), InlineData(1024, 2), InlineData(2048, 3), InlineData(4096, 4), InlineData(null, null)]
    public void A_client_asks_for_the_length_of_records_in_its_settings(int? length, int? code)
    {
        using var client = new ClientHandshakes(new() { PreSharedKey = Key, MaxFragmentLength = length });
        using var cut = Pair(client);

        cut.FirstHello.ContentOf(MaxFragmentLength).Should().BeEquivalentTo(code is { } one ? (byte[])[(byte)one] : null);
        MessagePair.Pass(cut.Answer(), cut.Client);

        (cut.Client.MaxContent, cut.Server.MaxContent).Should().Be((length ?? DtlsRecord.MaxContent, length ?? DtlsRecord.MaxContent));
    }

    [Theory, Trait("RFC", "7925 16"), InlineData(true), InlineData(false)]
    public void Both_sides_use_the_extended_master_secret(bool hasKey)
    {
        using var client = new ClientHandshakes(hasKey ? new() { PreSharedKey = Key } : new() { TrustedRoots = [_authority.Root] });
        using var cut = Pair(client);

        var answer = HelloParts.Read(cut.Answer()[0].Content);

        cut.FirstHello.ContentOf(ExtendedMasterSecret).Should().NotBeNull().And.BeEmpty();
        answer.ContentOf(ExtendedMasterSecret).Should().NotBeNull().And.BeEmpty();
    }

    // The first four bytes were once the time, which would be the same here.
    [Fact, Trait("RFC", "7925 12")]
    public void All_random_bytes_of_both_sides_are_new_in_each_handshake()
    {
        using var client = new ClientHandshakes(new() { PreSharedKey = Key });
        using MessagePair first = Pair(client), second = Pair(client);

        byte[][] randoms = [first.FirstHello.Random, second.FirstHello.Random, HelloParts.Read(first.Answer()[0].Content).Random,
            HelloParts.Read(second.Answer()[0].Content).Random];

        randoms.SelectMany(static random => random.Chunk(4)).Select(Convert.ToHexString).Should().OnlyHaveUniqueItems();
    }

    [Fact, Trait("RFC", "7925 20")]
    public void Keys_and_curves_have_at_least_112_bits_of_strength()
    {
        int[] curvesBelow224Bits = [1, 2, 3, 4, 5, 15, 16, 17, 18, 19];     // sect163k1 to sect193r2, and secp160k1 to secp192r1
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root] });
        using var cut = Pair(client);

        var groups = cut.FirstHello.ContentOf(Groups)!.Skip(2).Chunk(2).Select(static pair => (pair[0] << 8) | pair[1]).ToArray();

        CipherSuite.Preferred.Should().OnlyContain(static suite => suite.KeyLength * 8 >= 128);
        groups.Should().NotBeEmpty().And.NotContain(curvesBelow224Bits);
    }

    private MessagePair Pair(ClientHandshakes client, string host = "server.example") => MessagePair.WithSettings(_server, client, host);
}
