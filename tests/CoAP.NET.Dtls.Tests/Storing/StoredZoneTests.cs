using System.Text;
using CoAP.Dtls;
using CoAP.TestSupport;
using CoAP.Tests.Dtls.Endpoints;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Dtls.Storing;

/// <summary>
/// Sessions with link-local peers: after a restart, a network interface can have another number, but it has the same name (RFC 4007,
/// section 6).
/// </summary>
public sealed class StoredZoneTests
{
    private const uint Loopback = 1;

    private static readonly byte[] LinkLocal = [0xFE, 0x80, .. new byte[13], 1];

    private static string NameOfLoopback => InterfaceNames.NameOf(Loopback) is { Length: > 0 } name ? name
        : throw new InvalidOperationException("The first interface has no name.");

    [Fact, Trait("RFC", "4007 6")]
    public void A_session_has_the_name_of_the_interface_of_its_peer()
    {
        var content = LinkLocalSession(Loopback);

        var bytes = Write(content);
        var read = DtlsSessionState.Decrypt(new DtlsSessionState(content).Encrypt(SessionStoreTests.Secret), SessionStoreTests.Secret);

        bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(NameOfLoopback)).Should().BePositive();
        (read.Content.Identity, read.Content.Address).Should().Be((content.Identity, content.Address));
        read.Content.LostZone.Should().BeNull();
        read.Id.Should().Be($"[fe80::1]:5000%{NameOfLoopback}/dtls:0000000000000001", "a number could be another one in the next run");
        SessionContent.IdOf(content.Identity.Peer).Should().Be(read.Id);
    }

    [Fact, Trait("RFC", "4007 6")]
    public void A_session_whose_interface_is_missing_says_so_and_keeps_its_name()
    {
        var bytes = Write(LinkLocalSession(Loopback) with { LostZone = null });
        var (name, at) = (Encoding.UTF8.GetBytes(NameOfLoopback), 0);
        while (bytes.AsSpan(at).IndexOf(name) is >= 0 and var found)
        {
            at += found;
            bytes.AsSpan(at, name.Length).Fill((byte)'q');
        }
        var missing = new string('q', name.Length);

        var read = SessionContent.Read(bytes);

        (read.LostZone, read.Address.Peer.ScopeId).Should().Be((missing, InterfaceNames.UnknownZone));
        Write(read).Should().Equal(bytes, "another process may have the interface");
        read.Id.Should().Be($"[fe80::1]:5000%{missing}/dtls:0000000000000001");
    }

    [Theory, InlineData(Loopback, null), InlineData(987_654u, "987654")]
    public void A_session_of_an_earlier_version_has_a_number_that_must_be_an_interface(uint zone, string? lost)
    {
        var read = SessionContent.Read(WriteVersion2(LinkLocalSession(Loopback), zone));

        (read.LostZone, read.Identity.Peer.ScopeId).Should().Be((lost, lost is null ? Loopback : InterfaceNames.UnknownZone));
    }

    [Fact]
    public async Task A_server_drops_a_session_behind_a_missing_interface_with_one_line_in_the_log()
    {
        var store = new InMemoryDtlsSessionStore();
        store.Save(new DtlsSessionState(LinkLocalSession(InterfaceNames.UnknownZone) with { LostZone = "nosuch0" }));
        using var log = new TestLog();

        await using (new RestartedServer(store, hasCheck: true, log: log))
        {
            while (store.Sessions.Count > 0 || !Dropped().Any()) { await Task.Yield(); }
        }

        Dropped().Should().ContainSingle().Which.Should().Contain("1 DTLS sessions").And.Contain("nosuch0");

        IEnumerable<string> Dropped() =>
            log.Lines(LogLevel.Warning).Where(static line => line.Contains("interfaces", StringComparison.Ordinal));
    }

    private static SessionContent LinkLocalSession(uint zone)
    {
        var content = SessionStoreTests.Session(1).Content;
        var address = PeerIdentity.FromIPv6(LinkLocal, zone, 5000);
        var local = PeerIdentity.FromIPv6(LinkLocal, zone, 5684);
        PeerNames.TryReadClient(content.Identity.Peer, out _, out _).Should().BeTrue();
        return content with { Identity = new(address.Named(content.Identity.Peer.Name), local), Address = new(address, local) };
    }

    private static byte[] Write(SessionContent content)
    {
        using var writer = new SecretWriter();
        content.Write(writer);
        return writer.Written.ToArray();
    }

    private static byte[] WriteVersion2(SessionContent content, uint zone)
    {
        using var writer = new SecretWriter();
        writer.Write((byte)2);
        writer.Write(content.IsServer);
        writer.Write(content.HasRoutabilityCheck);
        writer.Write(content.Suite.Id);
        foreach (var peer in new[] { content.Identity.Peer, content.Identity.Local, content.Address.Peer, content.Address.Local })
        {
            writer.Write(peer.Name ?? "");
            writer.Write(peer.IsIP);
            peer.WriteIPv6(writer.Reserve(16));
            writer.Write(zone);
            writer.Write((ushort)peer.Port);
        }
        writer.Write(content.Keys);
        writer.Write(content.Ids.Own.Span);
        writer.Write(content.Ids.Peer.Span);
        writer.Write(content.Generation);
        writer.Write(content.HighestReceived);
        writer.Write((ushort)content.MaxContent);
        writer.Write((ulong)content.HeardAt.UtcTicks);
        writer.Write(true);
        writer.Write(content.KeyIdentity!);
        for (var absent = 0; absent < 3; absent++) { writer.Write(false); }
        return writer.Written.ToArray();
    }
}
