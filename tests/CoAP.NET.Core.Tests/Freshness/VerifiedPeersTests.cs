using CoAP.Freshness;

namespace CoAP.Tests.Freshness;

public sealed class VerifiedPeersTests
{
    private const int Fleet = 1;

    [Fact]
    public void Asking_for_a_peer_creates_nothing()
    {
        var cut = new VerifiedPeers(1000);

        cut.Contains(1, now: 0).Should().BeFalse();
        cut.TryExtend(1, until: 100).Should().BeFalse();

        cut.Places.Should().Be(0);
    }

    [Fact]
    public void A_peer_is_known_until_its_time_is_over_and_again_when_it_shows_it_again()
    {
        var cut = new VerifiedPeers(1000);
        cut.Add(7, Fleet, Milliseconds(100), now: 0);
        cut.Contains(7, Milliseconds(99)).Should().BeTrue();
        cut.Contains(7, Milliseconds(100)).Should().BeFalse();

        cut.TryExtend(7, Milliseconds(200)).Should().BeTrue();

        cut.Contains(7, Milliseconds(199)).Should().BeTrue();
        cut.Contains(8, now: 0).Should().BeFalse();
    }

    [Theory]
    [InlineData(1, 1, 1, 1, 1, "1 3 4 5"), InlineData(1, 2, 3, 4, 5, "1 3 4 5")]
    [InlineData(1, 2, 3, 4, 4, "1 2 3 5"), InlineData(1, 2, 3, 3, 4, "1 2 4 5"), InlineData(1, 2, 3, 3, 1, "1 2 4 5"), InlineData(1, 2, 3, 3, 2, "1 3 4 5")]
    public void A_full_table_forgets_the_peer_that_expires_first_of_the_owner_with_the_most(
        uint first, uint second, uint third, uint fourth, uint fifth, string expected)
    {
        var cut = new VerifiedPeers(4);
        uint[] owners = [first, second, third, fourth];
        for (var peer = 1; peer <= 4; peer++) { cut.Add((ulong)peer, owners[peer - 1], Milliseconds(100 * peer), now: 0); }
        cut.TryExtend(1, Milliseconds(1000));

        cut.Add(5, fifth, Milliseconds(600), now: 0);

        string.Join(' ', new ulong[] { 1, 2, 3, 4, 5 }.Where(peer => cut.Contains(peer, now: 0))).Should().Be(expected);
        cut.Places.Should().Be(4);
    }

    [Fact]
    public void An_expired_peer_is_replaced_first()
    {
        var cut = new VerifiedPeers(4);
        for (var peer = 1u; peer <= 4; peer++) { cut.Add(peer, owner: peer == 3 ? 3u : Fleet, Milliseconds(peer == 3 ? 100 : 1000), now: 0); }

        cut.Add(5, Fleet, Milliseconds(1000), Milliseconds(100));

        new ulong[] { 1, 2, 3, 4, 5 }.Where(peer => cut.Contains(peer, now: 0)).Should().Equal(1, 2, 4, 5);
    }

    private static long Milliseconds(long count) => count * TimeSpan.TicksPerMillisecond;
}
