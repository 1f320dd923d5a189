using CoAP.Stateless;

namespace CoAP.Tests.Stateless;

[Trait("RFC", "8974 2.2.2")]
public class TokenSupportTests
{
    private static readonly PeerIdentity Peer = PeerIdentity.From("peer");

    private readonly TokenSupport _cut = new(capacity: 3);

    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    [Fact]
    public void A_token_of_eight_bytes_is_always_supported_and_one_of_nine_is_unknown()
    {
        _cut.Find(Peer, 8, 0).Should().BeTrue();
        _cut.Find(Peer, 9, 0).Should().BeNull();
    }

    [Fact]
    public void An_accepted_length_includes_shorter_tokens_and_leaves_longer_ones_unknown()
    {
        _cut.Confirm(Peer, 50, 0);

        (_cut.Find(Peer, 50, 0), _cut.Find(Peer, 9, 0), _cut.Find(Peer, 51, 0)).Should().Be((true, true, null));
    }

    [Fact]
    public void A_refused_length_excludes_longer_tokens_and_leaves_shorter_ones_unknown()
    {
        _cut.Refuse(Peer, 50, 0, hasAnswered: true);

        (_cut.Find(Peer, 50, 0), _cut.Find(Peer, 1000, 0), _cut.Find(Peer, 49, 0)).Should().Be((false, false, null));
    }

    [Fact]
    public void A_longer_token_may_be_refused_after_a_shorter_one_was_accepted()
    {
        _cut.Confirm(Peer, 50, 0);
        _cut.Refuse(Peer, 100, 0, hasAnswered: true);

        (_cut.Find(Peer, 50, 0), _cut.Find(Peer, 75, 0), _cut.Find(Peer, 100, 0)).Should().Be((true, null, false));
    }

    [Fact]
    public void A_later_acceptance_overrides_an_earlier_refusal()
    {
        _cut.Refuse(Peer, 50, 0, hasAnswered: false);
        _cut.Confirm(Peer, 60, Seconds(61));

        _cut.Find(Peer, 60, Seconds(61)).Should().BeTrue();
    }

    // Addresses may change: what was learned is valid for 1,800 s. Silence may be chance: 60 s.
    [Fact]
    public void Knowledge_about_token_support_expires()
    {
        _cut.Confirm(Peer, 50, 0);
        _cut.Refuse(PeerIdentity.From("rejects"), 50, 0, hasAnswered: true);
        _cut.Refuse(PeerIdentity.From("silent"), 50, 0, hasAnswered: false);

        string At(double seconds) => string.Join(' ', new[] { "peer", "rejects", "silent" }
            .Select(name => _cut.Find(PeerIdentity.From(name), 50, Seconds(seconds))?.ToString() ?? "unknown"));
        At(59).Should().Be("True False False");
        At(60).Should().Be("True False unknown");
        At(1799).Should().Be("True False unknown");
        At(1800).Should().Be("unknown unknown unknown");
    }

    [Fact]
    public void The_table_holds_as_many_peers_as_its_capacity()
    {
        for (var i = 0; i < 10; i++) { _cut.Confirm(PeerIdentity.From($"{i}"), 50, Seconds(i)); }

        _cut.Count.Should().Be(3);
        _cut.Find(PeerIdentity.From("9"), 50, Seconds(10)).Should().BeTrue();
        _cut.Find(PeerIdentity.From("6"), 50, Seconds(10)).Should().BeNull("it would have ended first");
    }
}
