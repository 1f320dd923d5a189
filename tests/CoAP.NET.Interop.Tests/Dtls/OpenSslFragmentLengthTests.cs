using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>Short records with the "openssl" program, which asks for them by max_fragment_length (RFC 6066, section 4).</summary>
[Trait("Category", "Interop")]
public sealed class OpenSslFragmentLengthTests
{
    private const string Identity = "device-7", Key = "0102030405060708090a0b0c0d0e0f10";

    [SkippableTheory, Trait("RFC", "6066 4"), InlineData("512"), InlineData("1024"), InlineData("4096")]
    public async Task S_client_with_short_records_is_served(string length)
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(new PreSharedKey(Identity, Convert.FromHexString(Key))) });
        await using var client = OpenSslTool.StartClient(server.Address(), "-psk_identity", Identity, "-psk", Key, "-maxfraglen", length);

        await client.SendAsync(PlainMessage.GetOf("hello"));

        await client.SeesAsync($"Hello, {Identity}!");
    }
}
