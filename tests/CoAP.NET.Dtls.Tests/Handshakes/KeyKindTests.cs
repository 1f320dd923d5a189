using System.Buffers.Binary;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>Which kind of key a server uses for a client that offers several.</summary>
public sealed class KeyKindTests : IDisposable
{
    private const ushort PskCcm8 = 0xC0A8, EcdsaGcm = 0xC02B, RsaGcm = 0xC02F;

    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [Theory, Trait("RFC", "5246 7.4.1.3")]
    [InlineData("ECDHE-ECDSA-AES128-GCM-SHA256:PSK-AES128-CCM8", true, PskCcm8), InlineData("ECDHE-ECDSA-AES128-GCM-SHA256:PSK-AES128-CCM8", false, EcdsaGcm)]
    [InlineData("ECDHE-RSA-AES128-GCM-SHA256:PSK-AES128-CCM8", true, RsaGcm), InlineData("ECDHE-RSA-AES128-GCM-SHA256:PSK-AES128-CCM8", false, PskCcm8)]
    [InlineData("PSK-AES128-CCM8:ECDHE-RSA-AES128-GCM-SHA256", true, PskCcm8)]
    public void The_first_suite_of_the_client_that_fits_a_key_of_the_server_is_used(string offered, bool isRsa, ushort expected)
    {
        using var certificate = _authority.IssueServer("server.example", isRsa: isRsa);
        using var cut = new ServerHandshakes(new() { Certificate = TlsCertificateSource.From(certificate), PreSharedKeys = PskStore.From(static _ => [1]) });
        using var context = SslContext.ForPreSharedKeys(isServer: false, offered);
        using var client = new OpenSslHandshake(context, ownConnectionId: null) { PskIdentity = [65], PskKey = [1] };
        client.Begin();

        client.Feed(Answer(cut, client));       // HelloVerifyRequest
        var serverHello = Answer(cut, client);

        const int SessionIdAt = HandshakeHeader.Size + 2 + KeyBlock.RandomLength;
        BinaryPrimitives.ReadUInt16BigEndian(serverHello.AsSpan(SessionIdAt + 1 + serverHello[SessionIdAt])).Should().Be(expected);
    }

    [Theory, Trait("RFC", "5246 7.2.2"), InlineData(true), InlineData(false)]
    public void A_server_can_forget_the_session_of_a_client_without_tickets(bool forgets)
    {
        var server = SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8", new Resumption(TimeSpan.FromHours(1), new byte[32], 10));
        var client = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
        _ = SslCalls.SetOptions(client, SslCalls.NoTicket);
        using var first = Pair(server, client);
        first.Run();
        var id = first.ServerSide!.ResumptionId;
        using var second = Pair(server, client);
        second.ClientSide.Resume(first.ClientSide.ExportForResumption()!);

        if (forgets) { ResumableSession.Remove(server, id); }
        second.Run();

        id.Should().HaveCount(32);
        (second.Client.IsDone, second.ClientSide.IsResumed).Should().Be((true, !forgets));
    }

    [Theory, Trait("RFC", "7250 4.1"), InlineData("02", true), InlineData("0200", true), InlineData("0002", false), InlineData("00", false), InlineData("", false)]
    public void A_raw_public_key_is_used_if_the_client_prefers_it(string types, bool expected) =>
        ServerHandshakes.PrefersRawKey(Convert.FromHexString(types)).Should().Be(expected);

    private static HandshakePair Pair(SslContext server, SslContext client)
    {
        var pair = new HandshakePair(server, client, null, null);
        pair.ClientSide.PskIdentity = "device-7"u8.ToArray();
        pair.ClientSide.PskKey = pair.Keys["device-7"] = [1, 2, 3];
        return pair;
    }

    private static byte[] Answer(ServerHandshakes server, OpenSslHandshake client)
    {
        server.Begin(out var side, new HandshakeStart(null, client.TakeOutput()[0].Content, default));
        using (side) { return side.TakeOutput()[0].Content; }
    }
}
