using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>What both sides do with the hellos of others.</summary>
public sealed class ForeignHelloTests : IDisposable
{
    private const int ServerName = 0, MaxFragmentLength = 1, SignatureAlgorithms = 13, ConnectionId = 54, RenegotiationInfo = 0xFF01, Unknown = 0x1A1A;
    private const ushort PskCcm8 = 0xC0A8;

    private static readonly byte[] NameOfServer = [0, 9, 0, 0, 6, .. "server"u8];

    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [Fact, Trait("RFC", "5246 7.4.1.2")]
    public void Suites_that_a_server_does_not_know_are_ignored()
    {
        using var cut = MessagePair.WithKeys();

        var hello = ServerHello(cut.Answer(static hello => hello with { Suites = [Unknown, 0xFAFA, .. hello.Suites, 0x0005] }));

        hello.Suites.Should().Equal(PskCcm8);
    }

    [Theory, Trait("RFC", "5246 7.4.1.2"), Trait("RFC", "5246 7.4.1.4"), InlineData(true), InlineData(false)]
    public void A_hello_without_extensions_is_answered_without_any(bool hasField)
    {
        using var cut = MessagePair.WithKeys();

        var hello = ServerHello(cut.Answer(hello => hello with { Extensions = hasField ? [] : null }));

        hello.Suites.Should().Equal(PskCcm8);
        hello.ExtensionTypes.Should().BeSubsetOf([RenegotiationInfo], "a suite of the client stands for this one");
    }

    [Fact, Trait("RFC", "5246 7.4.1.4"), Trait("RFC", "5246 7.4.1.4.1")]
    public void A_server_sends_only_extensions_that_the_client_has_sent_and_no_signature_algorithms()
    {
        using var cut = MessagePair.WithKeys(idOfClient: ReadOnlyMemory<byte>.Empty);

        var hello = ServerHello(cut.Answer());

        hello.ExtensionTypes.Should().OnlyHaveUniqueItems().And.BeSubsetOf([.. cut.SecondHello.ExtensionTypes, RenegotiationInfo]).And.NotContain(SignatureAlgorithms);
    }

    [Theory, Trait("RFC", "5246 7.4.1.2"), InlineData("00"), InlineData("FFFF0000")]
    public void A_hello_that_ends_elsewhere_than_it_says_gets_decode_error(string rest)
    {
        using var cut = MessagePair.WithKeys();

        var alert = cut.AlertOfAnswer(hello =>
        {
            byte[] message = [.. hello.ToBytes(), .. Convert.FromHexString(rest)];
            var body = message.Length - HandshakeHeader.Size;
            new HandshakeHeader(HandshakeType.ClientHello, body, hello.Sequence, 0, body).Write(message);
            return message;
        });

        alert.Should().Be(AlertDescription.DecodeError);
    }

    [Fact, Trait("RFC", "7925 18")]
    public void A_hello_of_DTLS_1_0_gets_protocol_version()
    {
        using var cut = MessagePair.WithKeys();

        cut.AlertOfAnswer(static hello => (hello with { Version = DtlsRecord.OldVersion }).ToBytes()).Should().Be(AlertDescription.ProtocolVersion);
    }

    [Theory, Trait("RFC", "6066 4"), InlineData(0), InlineData(5), InlineData(255)]
    public void A_length_of_fragments_that_does_not_exist_gets_illegal_parameter(byte code)
    {
        using var cut = MessagePair.WithKeys();

        cut.AlertOfAnswer(hello => hello.With(MaxFragmentLength, code).ToBytes()).Should().Be(AlertDescription.IllegalParameter);
    }

    [Theory, Trait("RFC", "6066 4"), InlineData(1), InlineData(4)]
    public void A_length_of_fragments_is_confirmed_with_the_same_value(byte code)
    {
        using var cut = MessagePair.WithKeys();

        ServerHello(cut.Answer(hello => hello.With(MaxFragmentLength, code))).ContentOf(MaxFragmentLength).Should().Equal(code);
    }

    [Theory, Trait("RFC", "6066 4"), InlineData(2), InlineData(0), InlineData(9)]
    public void Another_length_of_fragments_than_a_client_has_asked_for_gets_illegal_parameter(byte code)
    {
        using var cut = MessagePair.WithKeys(prepare: static client => client.SetMaxContent(512));
        var hello = ServerHello(cut.Answer());

        hello.ContentOf(MaxFragmentLength).Should().Equal(1);
        MessagePair.AlertOf(cut.Client, hello.Without(MaxFragmentLength).With(MaxFragmentLength, code).ToBytes()).Should()
            .Be(AlertDescription.IllegalParameter);
    }

    [Fact, Trait("RFC", "6066 4")]
    public void A_length_of_fragments_that_the_server_does_not_confirm_is_not_used()
    {
        using var cut = MessagePair.WithKeys(prepare: static client => client.SetMaxContent(512));
        var hello = ServerHello(cut.Answer());

        cut.Client.Feed(hello.Without(MaxFragmentLength).ToBytes());

        cut.Client.MaxContent.Should().Be(DtlsRecord.MaxContent);
    }

    // The first four bytes were once the time, which many devices do not know.
    [Theory, Trait("RFC", "7925 12"), InlineData("00000000"), InlineData("FFFFFFFF")]
    public void A_server_does_not_take_the_random_bytes_of_a_client_for_the_time(string time)
    {
        using var cut = MessagePair.WithKeys();

        var hello = ServerHello(cut.Answer(hello => hello with { Random = [.. Convert.FromHexString(time), .. hello.Random[4..]] }));

        hello.Suites.Should().Equal(PskCcm8);
    }

    [Fact, Trait("RFC", "6066 3")]
    public void The_name_of_the_server_is_confirmed_unless_the_session_is_resumed()
    {
        using var context = SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8", new Resumption(TimeSpan.FromHours(1), new byte[32], 10));
        using var cut = MessagePair.WithKeys(context, prepare: static client => client.SetServerName("server"));

        var answer = cut.Answer();
        MessagePair.Pass(answer, cut.Client);
        MessagePair.Pass(cut.Client.TakeOutput(), cut.Server);
        MessagePair.Pass(cut.Server.TakeOutput(), cut.Client);
        var earlier = cut.Client.ExportForResumption()!;
        using var later = MessagePair.WithKeys(context, prepare: client =>
        {
            client.SetServerName("server");
            client.Resume(earlier);
        });
        var resumed = later.Answer();
        MessagePair.Pass(resumed, later.Client);

        cut.SecondHello.ContentOf(ServerName).Should().Equal(NameOfServer);
        ServerHello(answer).ContentOf(ServerName).Should().BeEmpty().And.NotBeNull();
        later.Client.IsResumed.Should().BeTrue();
        ServerHello(resumed).ContentOf(ServerName).Should().BeNull();
    }

    [Fact, Trait("RFC", "6066 3")]
    public void A_hello_without_a_name_gets_none()
    {
        using var cut = MessagePair.WithKeys();

        ServerHello(cut.Answer()).ContentOf(ServerName).Should().BeNull();
    }

    // RFC 5246 takes SHA-1 for granted then, which RFC 9155 forbids.
    [Fact, Trait("RFC", "5246 7.4.1.4.1")]
    public void Without_signature_algorithms_a_server_with_a_certificate_gives_up()
    {
        using var certificate = _authority.IssueServer("server.example");
        using var server = new ServerHandshakes(new() { Certificate = TlsCertificateSource.From(certificate) });
        using var client = new ClientHandshakes(new() { TrustedRoots = [_authority.Root] });
        using var cut = MessagePair.WithSettings(server, client);

        cut.AlertOfAnswer(static hello => hello.Without(SignatureAlgorithms).ToBytes()).Should().Be(AlertDescription.HandshakeFailure);
    }

    [Fact, Trait("RFC", "5246 7.4.1.3")]
    public void The_random_bytes_of_a_server_do_not_depend_on_those_of_the_client()
    {
        using var cut = MessagePair.WithKeys();

        var first = ServerHello(cut.Answer()).Random;
        using var again = new OpenSslHandshake(SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8"), null);
        again.Begin(cut.SecondHello.ToBytes());

        ServerHello(again.TakeOutput()).Random.Should().NotEqual(first).And.NotEqual(cut.SecondHello.Random);
    }

    [Theory, Trait("RFC", "5246 7.4.1.4"), InlineData(ConnectionId), InlineData(MaxFragmentLength), InlineData(Unknown)]
    public void An_extension_that_a_client_has_not_sent_ends_its_handshake(int type)
    {
        using var cut = MessagePair.WithKeys();
        var hello = ServerHello(cut.Answer());

        MessagePair.AlertOf(cut.Client, hello.With(type, 1).ToBytes()).Should().Be(AlertDescription.UnsupportedExtension);
    }

    private static HelloParts ServerHello(IReadOnlyList<HandshakeOutput> answer) => HelloParts.Read(answer[0].Content);
}
