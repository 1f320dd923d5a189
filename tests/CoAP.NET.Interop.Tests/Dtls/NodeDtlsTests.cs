using System.Globalization;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>A client of node-dtls-client, whose handshake and records are JavaScript, and our server.</summary>
[Trait("Category", "Interop")]
public sealed class NodeDtlsTests
{
    private const string Identity = "device-7", Key = "a key of 16 bytes";

    // Sends one message and prints what arrives.
    private const string Script = """
        const [port, cipher, identity, key, message] = process.argv.slice(1);
        const socket = require('node-dtls-client').dtls.createSocket({
            type: 'udp4', address: '127.0.0.1', port: Number(port), psk: { [decodeURIComponent(identity)]: key }, ciphers: [cipher], timeout: 10000,
        });
        socket.on('connected', () => socket.send(Buffer.from(message, 'hex')));
        socket.on('message', answer => { console.log(answer.toString('latin1')); socket.close(); });
        socket.on('error', error => { console.log(error.message); process.exitCode = 1; });
        """;

    [SkippableTheory]
    [InlineData("TLS_PSK_WITH_AES_128_CCM_8"), InlineData("TLS_PSK_WITH_AES_128_GCM_SHA256"), InlineData("TLS_PSK_WITH_AES_256_GCM_SHA384")]
    [Trait("RFC", "7252 9.1.3.1")]
    public async Task Node_gets_with_a_pre_shared_key(string cipher)
    {
        await Needed.NodePackageAsync("node-dtls-client");
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(new PreSharedKey(Identity, "a key of 16 bytes"u8)) });

        var outcome = await RunAsync(server, cipher, Identity);

        outcome.Text.Should().StartWith(PlainMessage.Answer).And.EndWith($"Hello, {Identity}!");
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
    }

    // OpenSSL would cut the identity there.
    [SkippableFact]
    [Trait("RFC", "4279 5.1")]
    public async Task Node_gets_with_an_identity_that_contains_a_zero()
    {
        await Needed.NodePackageAsync("node-dtls-client");
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(new PreSharedKey("device\0x"u8, "a key of 16 bytes"u8)) });

        var outcome = await RunAsync(server, "TLS_PSK_WITH_AES_128_CCM_8", "device%00x");

        outcome.Text.Should().StartWith(PlainMessage.Answer);
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
    }

    [SkippableFact]
    [Trait("RFC", "4279 2")]
    public async Task Node_learns_that_its_key_or_its_identity_is_wrong()
    {
        await Needed.NodePackageAsync("node-dtls-client");
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(new PreSharedKey(Identity, "a key of 16 bytes"u8)) });

        var outcome = await RunAsync(server, "TLS_PSK_WITH_AES_128_CCM_8", "device-8");

        outcome.Text.Should().Be("received fatal alert: decrypt_error");
    }

    private static Task<Outcome> RunAsync(CoapServer server, string cipher, string identity) => RunningProgram.RunAsync(
        "node", "-e", Script, server.Address().Port.ToString(CultureInfo.InvariantCulture), cipher, identity, Key, Convert.ToHexString(PlainMessage.GetOf("hello")));
}
