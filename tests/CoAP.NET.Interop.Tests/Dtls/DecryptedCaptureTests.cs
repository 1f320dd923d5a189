using System.Net;
using System.Text;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>What tshark reads in the records of both of our sides with the secrets in the key log.</summary>
/// <remarks>tshark 4.0 decrypts no ChaCha20-Poly1305 in DTLS, also not between two programs of OpenSSL.</remarks>
[Trait("Category", "Interop")]
public sealed class DecryptedCaptureTests : IDisposable
{
    private const string WithConnectionId = "25", WithoutConnectionId = "";
    private const string Get = "1", Put = "3", Changed = "68", Content = "69";
    private const ushort OctetStream = 42;

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    private readonly TestAuthority _authority = new();
    private readonly RelayedCapture _capture = new(new(IPAddress.Loopback, 0));

    public void Dispose()
    {
        _capture.Dispose();
        _authority.Dispose();
    }

    [SkippableTheory]
    [InlineData("TLS_PSK_WITH_AES_128_CCM_8", 8), InlineData("TLS_PSK_WITH_AES_128_CCM", 4), InlineData("TLS_PSK_WITH_AES_128_GCM_SHA256", 16)]
    [InlineData("TLS_PSK_WITH_AES_256_GCM_SHA384", 8), InlineData("TLS_PSK_WITH_AES_128_CCM_8", null), InlineData("TLS_PSK_WITH_AES_256_GCM_SHA384", null)]
    [Trait("RFC", "9146 4"), Trait("RFC", "9146 5"), Trait("RFC", "9146 5.3")]
    public async Task Records_of_a_session_with_a_pre_shared_key(string suite, int? idLength)
    {
        Needed.Programs(Needed.TShark);
        await using var server = Start(new() { PreSharedKeys = PskStore.From(Key), CipherSuites = [suite], ConnectionIdLength = idLength, KeyLogFile = _capture.KeyLogPath });
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key, ConnectionIdLength = idLength } });

        await ExchangeAsync(client, "buy milk");

        await ReadsAsync(ExchangeOf(idLength is null ? WithoutConnectionId : WithConnectionId, "buy milk"));
    }

    [SkippableTheory]
    [InlineData("TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8"), InlineData("TLS_ECDHE_ECDSA_WITH_AES_128_CCM")]
    [InlineData("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"), InlineData("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384")]
    [Trait("RFC", "9146 4"), Trait("RFC", "9146 5"), Trait("RFC", "9146 5.3")]
    public async Task Records_of_a_session_with_certificates(string suite)
    {
        Needed.Programs(Needed.TShark);
        var (ofServer, ofClient) = (_authority.IssueServer("127.0.0.1"), _authority.IssueClient("device-7"));
        await using var server = Start(new()
        {
            Certificate = TlsCertificateSource.From(ofServer.Certificate),
            TrustedRoots = _authority.Roots,
            RequiresClientCertificate = true,
            CipherSuites = [suite],
            KeyLogFile = _capture.KeyLogPath,
        });
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { Certificate = ofClient.Certificate, TrustedRoots = _authority.Roots, ConnectionIdLength = 8 } });

        await ExchangeAsync(client, "buy milk");

        await ReadsAsync(ExchangeOf(WithConnectionId, "buy milk"));
    }

    // The client has its session with the second server only by the ticket of the first one, and writes the secrets of both.
    [SkippableFact]
    [Trait("RFC", "5077 3.1"), Trait("RFC", "9146 3")]
    public async Task Records_of_a_resumed_session()
    {
        Needed.Programs(Needed.TShark);
        var dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), TicketSecret = new byte[32] };
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key, ConnectionIdLength = 8, KeyLogFile = _capture.KeyLogPath } });

        // The end of the server ends the session.
        await using (Start(dtls)) { await ExchangeAsync(client, "buy milk"); }
        await using (Start(dtls)) { await ExchangeAsync(client, "buy tea"); }

        await ReadsAsync([.. ExchangeOf(WithConnectionId, "buy milk"), .. ExchangeOf(WithConnectionId, "buy tea")]);
        // A slow peer sends a flight again, so one message can stand in the capture twice.
        var handshakes = await _capture.ReadAsync("-Y", "dtls.handshake.type == 2 || dtls.handshake.type == 16", "-T", "fields", "-e", "dtls.handshake.type");
        handshakes.SkipWhile(IsServerHello).SkipWhile(line => !IsServerHello(line)).Should().NotBeEmpty().And.OnlyContain(line => IsServerHello(line), "the second handshake needs no keys");
    }

    // As in a process that is a client and a server. Each of them writes the secret of the second session.
    [SkippableFact]
    public async Task Records_of_a_client_and_a_server_with_the_same_key_log()
    {
        Needed.Programs(Needed.TShark);
        var dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key) };
        await using var server = Start(dtls with { KeyLogFile = _capture.KeyLogPath });
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key, ConnectionIdLength = 8, KeyLogFile = _capture.KeyLogPath } });

        await using (Start(dtls)) { await ExchangeAsync(client, "buy milk"); }
        _capture.Relay.Redirect(server.Address());
        await ExchangeAsync(client, "buy tea");

        await ReadsAsync([.. ExchangeOf(WithConnectionId, "buy milk"), .. ExchangeOf(WithConnectionId, "buy tea")]);
    }

    // A peer that has moved: its records have the same connection ID and another port.
    [SkippableFact]
    [Trait("RFC", "9146 6")]
    public async Task Records_of_a_client_that_has_moved()
    {
        Needed.Programs(Needed.TShark);
        await using var server = Start(new() { PreSharedKeys = PskStore.From(Key), KeyLogFile = _capture.KeyLogPath });
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key, ConnectionIdLength = 8 } });

        await ExchangeAsync(client, "buy milk");
        _capture.Move();
        await ExchangeAsync(client, "buy tea");

        await ReadsAsync([.. ExchangeOf(WithConnectionId, "buy milk"), .. ExchangeOf(WithConnectionId, "buy tea")]);
        var randoms = await _capture.ReadAsync("-Y", "dtls.handshake.type == 2", "-T", "fields", "-e", "dtls.handshake.random");
        randoms.Distinct().Should().ContainSingle("the session goes on");
    }

    // A server that the relay sends to, with one resource that keeps what is put.
    private CoapServer Start(DtlsServerSettings dtls)
    {
        var server = SecuredServer.Start(dtls);
        var note = ReadOnlyMemory<byte>.Empty;
        server.Resources.At("note")
            .Put((request, _) =>
            {
                note = request.Payload.ToArray();
                return new(Response.Changed);
            })
            .Get((_, _) => new(Response.Content(note, OctetStream)));
        _capture.Relay.Redirect(server.Address());
        return server;
    }

    private async Task ExchangeAsync(CoapClient client, string text)
    {
        await client.SendAsync(new CoapRequest(RequestCode.Put, $"{_capture.Origin}/note") { Payload = Encoding.ASCII.GetBytes(text) });
        (await client.GetAsync($"{_capture.Origin}/note")).PayloadText.Should().Be(text);
    }

    // The type of the outer header if it is not that of the content, the code, the path and the payload.
    private static string[] ExchangeOf(string type, string text)
    {
        var payload = Convert.ToHexStringLower(Encoding.ASCII.GetBytes(text));
        return [$"{type}\t{Put}\tnote\t{payload}", $"{type}\t{Changed}\t\t", $"{type}\t{Get}\tnote\t", $"{type}\t{Content}\t\t{payload}"];
    }

    private static bool IsServerHello(string types) => types.Split(',')[0] == "2";

    private async Task ReadsAsync(string[] expected)
    {
        string[] fields = ["-e", "dtls.record.special_type", "-e", "coap.code", "-e", "coap.opt.uri_path", "-e", "data.data", "-e", "coap.mid"];
        var sent = await _capture.ReadAsync(["-Y", "coap", "-T", "fields", .. fields]);
        var wrong = await _capture.ReadAsync("-Y", "_ws.malformed || (_ws.expert.severity >= \"Warning\" && !coap.retransmitted)");

        // On a slow machine, a message may be sent again, with the same ID. A client that learns late that its session has ended sends its request twice.
        string[] read = [.. sent.Distinct().Select(line => line[..line.LastIndexOf('\t')])];
        read.Where((line, at) => at == 0 || line != read[at - 1]).Should().Equal(expected);
        wrong.Should().BeEmpty();
    }
}
