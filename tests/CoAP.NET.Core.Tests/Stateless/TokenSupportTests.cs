using CoAP.Stateless;

namespace CoAP.Tests.Stateless;

[Trait("RFC", "8974 2.2.2")]
public class TokenSupportTests
{
    private static readonly PeerIdentity Peer = PeerIdentity.From("peer");

    private readonly TokenSupport _cut = new(capacity: 3);

    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    [Fact]
    public void Eight_bytes_need_no_trial_and_nine_do()
    {
        _cut.Find(Peer, 8, 0).Should().BeTrue();
        _cut.Find(Peer, 9, 0).Should().BeNull();
    }

    [Fact]
    public void What_is_taken_is_taken_shorter_too_but_longer_nobody_knows()
    {
        _cut.Confirm(Peer, 50, 0);

        (_cut.Find(Peer, 50, 0), _cut.Find(Peer, 9, 0), _cut.Find(Peer, 51, 0)).Should().Be((true, true, null));
    }

    [Fact]
    public void What_is_refused_is_refused_longer_too_but_shorter_nobody_knows()
    {
        _cut.Refuse(Peer, 50, 0, hasAnswered: true);

        (_cut.Find(Peer, 50, 0), _cut.Find(Peer, 1000, 0), _cut.Find(Peer, 49, 0)).Should().Be((false, false, null));
    }

    [Fact]
    public void A_longer_one_may_be_refused_after_a_shorter_one_was_taken()
    {
        _cut.Confirm(Peer, 50, 0);
        _cut.Refuse(Peer, 100, 0, hasAnswered: true);

        (_cut.Find(Peer, 50, 0), _cut.Find(Peer, 75, 0), _cut.Find(Peer, 100, 0)).Should().Be((true, null, false));
    }

    [Fact]
    public void What_is_taken_later_counts_more_than_an_earlier_refusal()
    {
        _cut.Refuse(Peer, 50, 0, hasAnswered: false);
        _cut.Confirm(Peer, 60, Seconds(61));

        _cut.Find(Peer, 60, Seconds(61)).Should().BeTrue();
    }

    // Addresses may change: what was learned is valid for 1,800 s. Silence may be chance: 60 s.
    [Fact]
    public void Nothing_is_believed_for_ever()
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
    public void There_is_room_for_as_many_peers_as_were_said()
    {
        for (var i = 0; i < 10; i++) { _cut.Confirm(PeerIdentity.From($"{i}"), 50, Seconds(i)); }

        _cut.Count.Should().Be(3);
        _cut.Find(PeerIdentity.From("9"), 50, Seconds(10)).Should().BeTrue();
        _cut.Find(PeerIdentity.From("6"), 50, Seconds(10)).Should().BeNull("it would have ended first");
    }
}
