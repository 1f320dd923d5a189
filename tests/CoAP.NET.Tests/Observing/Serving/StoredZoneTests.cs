using System.Net;
using CoAP.Observing;
using CoAP.TestSupport;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Observing;

/// <summary>
/// Link-local addresses in files: after a restart, a network interface can have another number, but it has the same name (RFC 4007, section
/// 6).
/// </summary>
public sealed class StoredZoneTests : IDisposable
{
    private const uint Loopback = 1;
    private const string Missing = "nosuch0";

    private readonly string _path = Path.Combine(Path.GetTempPath(), $"zones-{Guid.NewGuid():N}.txt");

    public void Dispose() => File.Delete(_path);

    [Theory, Trait("RFC", "4007 6")]
    [InlineData(false), InlineData(true)]
    public void The_file_of_observers_has_the_name_of_the_interface(bool isSecured)
    {
        var (name, address) = (NameOfLoopback(), new IPEndPoint(IPAddress.Parse("fe80::1%1"), 5683));
        var peer = isSecured ? PeerIdentity.From(address, "a name: of a session") : PeerIdentity.From(address);
        var store = new FileObserverStore(_path);

        store.Save(Observer(peer) with { Local = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("fe80::2%1"), 5684)) });
        store.Flush();

        File.ReadAllText(_path).Should().Contain($"[fe80::1]:5683zone:{Uri.EscapeDataString(name)}").And.NotContain("%1");
        var read = new FileObserverStore(_path).List().Should().ContainSingle().Which;
        (read.Peer, read.Local.ToString(), read.LostZone).Should().Be((peer, "[fe80::2%1]:5684", (string?)null));
    }

    [Theory, Trait("RFC", "4007 6")]
    [InlineData("[fe80::1%1]:5683", null), InlineData("fe80::1%1", null)]
    [InlineData("[fe80::1]:5683zone:nosuch0", Missing), InlineData("[fe80::1]:5683zone:", "")]
    [InlineData("[fe80::1]:5683zone:nosuch0name:6162", Missing)]
    [InlineData("[fe80::1%987654]:5683", "987654"), InlineData("[fe80::1%nosuch0]:5683", Missing), InlineData("fe80::1%nosuch0", Missing)]
    public void A_zone_that_is_no_interface_never_becomes_the_default_interface(string text, string? lost)
    {
        File.WriteAllText(_path, $"{text} - [01] 0000000000000000007 4101 -----\n");

        var read = new FileObserverStore(_path).List().Should().ContainSingle().Which;

        read.LostZone.Should().Be(lost);
        read.Peer.ScopeId.Should().Be(lost is null ? Loopback : InterfaceNames.UnknownZone);
    }

    [Fact, Trait("RFC", "4007 6")]
    public void A_server_drops_observations_behind_a_missing_interface_with_one_line_in_the_log()
    {
        var kept = "192.0.2.1:5683 - [09] 0000000000000000007 4101 -----\n";
        File.WriteAllText(_path, $"[fe80::1]:1zone:{Missing} - [01] 7 4101 -----\n[fe80::2]:1zone:{Missing} - [01] 7 4101 -----\n{kept}");
        var (store, time) = (new FileObserverStore(_path), new ManualClock());
        using var log = new TestLog();

        var listed = new ObserverJournal(store, new EndpointLog(log, time), time).List();

        listed.Should().ContainSingle().Which.Peer.ToString().Should().Be("192.0.2.1:5683");
        log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("2 stored observations").And.Contain(Missing);
        store.Flush();
        File.ReadAllText(_path).Should().Be(kept);
    }

    [Theory, Trait("RFC", "4007 6")]
    [InlineData("coap://[fe80::1%251]:7000/a?b", "coap://[fe80::1%25LO]:7000/a?b")]
    [InlineData("coap://[fe80::1%1]/%25", "coap://[fe80::1%25LO]/%25")]
    [InlineData("coap://[fe80::1%25nosuch0]/", "coap://[fe80::1%25nosuch0]/")]
    [InlineData("coap://[2001:db8::1]/100%25", "coap://[2001:db8::1]/100%25")]
    [InlineData("coap://host/100%25", "coap://host/100%25")]
    public void The_file_of_subscriptions_has_the_name_of_the_interface(string uri, string stored)
    {
        var expected = stored.Replace("LO", Uri.EscapeDataString(NameOfLoopback()), StringComparison.Ordinal);

        new FileSubscriptionStore(_path).Save(new StoredSubscription(uri, RequestCode.Get, new Token([1])));

        File.ReadAllText(_path).Should().EndWith($" {expected}{Environment.NewLine}");
        new FileSubscriptionStore(_path).List().Should().ContainSingle().Which.Uri.Should().Be(expected);
    }

    [Fact]
    public void The_names_and_the_numbers_of_interfaces_belong_together()
    {
        var name = NameOfLoopback();

        (InterfaceNames.ZoneOf(name), InterfaceNames.NameOf(Loopback)).Should().Be((Loopback, name));
        InterfaceNames.NameOf(0).Should().BeEmpty();
        InterfaceNames.NameOf(987_654).Should().BeEmpty();
        InterfaceNames.NameOf(InterfaceNames.UnknownZone).Should().BeEmpty();
        foreach (var unknown in new[] { "", Missing, "lo\0", new string('x', 1000) })
        {
            InterfaceNames.ZoneOf(unknown).Should().Be(InterfaceNames.UnknownZone);
        }
    }

    private static string NameOfLoopback() => InterfaceNames.NameOf(Loopback) is { Length: > 0 } name ? name
        : throw new InvalidOperationException("The first interface has no name.");

    private static StoredObserver Observer(PeerIdentity peer) => new()
    {
        Peer = peer,
        Local = default,
        Token = new Token([1]),
        Request = new byte[] { 0x41, 0x01 },
        SequenceLimit = 7,
        ContentFormat = -1,
    };
}
