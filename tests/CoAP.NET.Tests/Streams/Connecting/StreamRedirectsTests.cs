using System.Net;
using CoAP.Streams;
using CoAP.TestSupport;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Streams;

/// <summary>Alternative addresses of a server that the client does not trust (RFC 8323, section 5.5).</summary>
public sealed class StreamRedirectsTests
{
    private static readonly PeerIdentity Server = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5684));

    [Theory, Trait("RFC", "8323 5.5")]
    [InlineData(CoapScheme.CoapTcp, "192.0.2.1:7000", true)]
    [InlineData(CoapScheme.CoapsTcp, "192.0.2.1:7000", true)]
    [InlineData(CoapScheme.CoapsTcp, "server.example:7000", true)]
    [InlineData(CoapScheme.CoapsTcp, "SERVER.example:7000", true)]
    [InlineData(CoapScheme.CoapTcp, "server.example:7000", false)]
    [InlineData(CoapScheme.CoapTcp, "127.0.0.1:22", false)]
    [InlineData(CoapScheme.CoapTcp, "[::1]:22", false)]
    [InlineData(CoapScheme.CoapsTcp, "victim.example:7000", false)]
    [InlineData(CoapScheme.CoapsTcp, "server.example.evil:7000", false)]
    [InlineData(CoapScheme.CoapsTcp, "server.example@evil:7000", false)]
    [InlineData(CoapScheme.CoapsTcp, "coap+tcp://192.0.2.1:7000", false)]
    public void Only_the_same_host_is_followed(CoapScheme scheme, string alternative, bool isFollowed)
    {
        var target = StreamTarget.Of(scheme, Server, "server.example");

        var next = Next(target, alternative, allowsOtherHosts: false, out var isAlternative);

        isAlternative.Should().Be(isFollowed);
        if (!isFollowed) { next.Should().Be(target); }
    }

    [Fact]
    public void TLS_is_never_left_for_a_plain_connection()
    {
        var target = StreamTarget.Of(CoapScheme.CoapsTcp, Server, "server.example");

        foreach (var alternative in new[] { "192.0.2.1:5683", "server.example:5683", "coap+tcp://192.0.2.1:5683" })
        {
            Next(target, alternative, allowsOtherHosts: true, out _).Scheme.Should().Be(CoapScheme.CoapsTcp);
        }
    }

    [Theory]
    [InlineData("evil.invalid:5683", "it names another host (ReconnectSettings.AllowsOtherHosts)")]
    [InlineData("evil\n.invalid:x", "it is not a host with an optional port")]
    public void An_ignored_address_is_logged_once_with_the_reason(string alternative, string reason)
    {
        var target = StreamTarget.Of(CoapScheme.CoapTcp, Server, "");
        var log = new TestLog();
        var cut = new StreamRedirects(TimeProvider.System, log: new EndpointLog(log, TimeProvider.System));
        cut.Record(target, new ReconnectAdvice([alternative, alternative], TimeSpan.Zero, 0));

        cut.Next(target, out _);

        log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should()
            .StartWith($"The Alternative-Address {alternative.Replace('\n', ' ')} of 192.0.2.1:5684 was ignored: {reason}.");
    }

    [Theory, Trait("RFC", "8323 5.5")]
    [InlineData("victim.example:7000"), InlineData("192.0.2.9")]
    public void A_setting_allows_other_hosts_and_TLS_stays_TLS(string alternative)
    {
        var target = StreamTarget.Of(CoapScheme.CoapsTcp, Server, "server.example");

        var next = Next(target, alternative, allowsOtherHosts: true, out var isAlternative);

        isAlternative.Should().BeTrue();
        (next.Scheme, next.Host).Should().Be((CoapScheme.CoapsTcp, "server.example"));
    }

    // A zone is a name of another machine, and a link-local address is on the link to the peer that names it.
    [Theory, Trait("RFC", "6874 1")]
    [InlineData("fe80::1%7", "[fe80::1]:7000", "[fe80::1%7]:7000")]
    [InlineData("fe80::1%7", "[fe80::2]:7000", "[fe80::2%7]:7000")]
    [InlineData("fe80::1%7", "[fe80::1%257]:7000", null)]
    [InlineData("fe80::1%7", "[fe80::1%25lo]:7000", null)]
    [InlineData("fe80::1%7", "[fe80::1%25typo0]:7000", null)]
    [InlineData("192.0.2.1", "[fe80::1]:7000", null)]
    [InlineData("192.0.2.1", "[fe80::1%25typo0]:7000", null)]
    [InlineData("192.0.2.1", "[2001:db8::1%25lo]:7000", null)]
    [InlineData("192.0.2.1", "fe80%3A%3A1%25typo0:7000", null)]
    public void An_alternative_address_is_on_the_link_to_the_peer_or_ignored(string peer, string alternative, string? expected)
    {
        var target = StreamTarget.Of(CoapScheme.CoapTcp, PeerIdentity.From(new IPEndPoint(IPAddress.Parse(peer), 5683)), "");

        var next = Next(target, alternative, allowsOtherHosts: true, out var isAlternative);

        isAlternative.Should().Be(expected is not null);
        next.EndPoint.ToString().Should().Be(expected ?? target.EndPoint.ToString());
    }

    private static StreamTarget Next(StreamTarget target, string alternative, bool allowsOtherHosts, out bool isAlternative)
    {
        var cut = new StreamRedirects(TimeProvider.System, allowsOtherHosts);
        cut.Record(target, new ReconnectAdvice([alternative], TimeSpan.Zero, 0));
        return cut.Next(target, out isAlternative);
    }
}
