using CoAP.Freshness;

namespace CoAP.Tests.Freshness;

public sealed class VerifiedPeersTests
{
    [Fact]
    public void Asking_for_a_peer_creates_nothing()
    {
        var cut = new VerifiedPeers(1000);

        cut.Contains(1, now: 0).Should().BeFalse();

        cut.Places.Should().Be(0);
    }

    [Fact]
    public void A_peer_is_known_until_its_time_is_over_and_again_when_it_shows_it_again()
    {
        var cut = new VerifiedPeers(1000);
        cut.Add(7, until: 100);
        cut.Contains(7, now: 99).Should().BeTrue();
        cut.Contains(7, now: 100).Should().BeFalse();

        cut.Add(7, until: 200);

        cut.Contains(7, now: 199).Should().BeTrue();
        cut.Contains(8, now: 0).Should().BeFalse();
    }

    [Fact]
    public void A_full_table_forgets_the_peer_whose_time_is_over_first()
    {
        var cut = new VerifiedPeers(4);
        foreach (var peer in new ulong[] { 1, 2, 3, 4 }) { cut.Add(peer, until: (long)(100 * peer)); }
        cut.Add(1, until: 1000);

        cut.Add(5, until: 600);

        new ulong[] { 1, 2, 3, 4, 5 }.Where(peer => cut.Contains(peer, now: 0)).Should().Equal(1, 3, 4, 5);
        cut.Places.Should().Be(4);
    }
}
