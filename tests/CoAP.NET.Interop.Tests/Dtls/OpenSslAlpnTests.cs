using System.Net;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>The name of the application protocol in the handshakes with the "openssl" program (RFC 7301, RFC 9952).</summary>
[Trait("Category", "Interop")]
public sealed class OpenSslAlpnTests
{
    private const string Identity = "device-7", Key = "0102030405060708090a0b0c0d0e0f10";
    private const int NoApplicationProtocol = 120;

    private static readonly PreSharedKey OurKey = new(Identity, Convert.FromHexString(Key));

    [SkippableTheory]
    [InlineData("co", "ALPN protocol: co"), InlineData("http/1.1,co", "ALPN protocol: co"), InlineData("coap", "ALPN protocol: coap"), InlineData("coap,co", "ALPN protocol: co"), InlineData(null, "No ALPN negotiated")]
    [Trait("RFC", "7301 3.1")]
    public async Task S_client_is_served(string? offered, string confirmed)
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(OurKey) });

        await using var client = Start(server, offered is null ? [] : ["-alpn", offered]);
        await client.SendAsync(PlainMessage.GetOf("hello"));

        await client.SeesAsync($"Hello, {Identity}!");
        client.Output.Should().Contain(confirmed);
    }

    [SkippableFact]
    [Trait("RFC", "7301 3.2")]
    public async Task S_client_is_refused_if_it_offers_only_another_protocol()
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(OurKey) });

        await using var client = Start(server, "-alpn", "http/1.1");

        (await client.AlertAsync()).Should().Be(NoApplicationProtocol, "{0}", client);
    }

    [SkippableFact]
    [Trait("RFC", "7301 3.1")]
    public async Task S_server_confirms_our_protocol()
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = await OpenSslTool.StartServerAsync(IPAddress.Loopback, "-psk", Key, "-nocert", "-alpn", "http/1.1,co");
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = OurKey } });

        var answer = client.GetAsync($"coaps://127.0.0.1:{server.Port}/hello");
        await server.AnswerAsync("hello", "Hello, client!");

        (await answer).PayloadText.Should().Be("Hello, client!");
        server.Output.Should().Contain("ALPN protocols selected: co");
    }

    [SkippableFact]
    [Trait("RFC", "7301 3.2")]
    public async Task Our_client_reports_a_server_with_only_another_protocol()
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = await OpenSslTool.StartServerAsync(IPAddress.Loopback, "-psk", Key, "-nocert", "-alpn", "http/1.1");
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = OurKey, FlightTimeout = TimeSpan.FromMilliseconds(100) } });
        var ask = async () => await client.GetAsync($"coaps://127.0.0.1:{server.Port}/hello");

        var error = (await ask.Should().ThrowAsync<CoapSecurityException>()).Which;

        error.Failure.Should().Be(TlsFailure.Protocol);
        error.Message.Should().Contain("NoApplicationProtocol (120)");
    }

    private static OpenSslTool Start(CoapServer server, params string[] more) => OpenSslTool.StartClient(server.Address(), ["-psk", Key, "-psk_identity", Identity, .. more]);
}
