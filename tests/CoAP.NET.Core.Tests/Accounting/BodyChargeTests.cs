using CoAP.Accounting;
using CoAP.Blockwise;

namespace CoAP.Tests.Accounting;

public sealed class BodyChargeTests
{
    private static readonly Account Peer = Account.Of("peer");

    private readonly LedgerBook _book = new(limit: 64 << 10, unverifiedLimit: 8 << 10);

    [Fact]
    public void The_last_holder_releases_the_bytes()
    {
        _book.Take(Peer, 2000);
        var charge = new BodyCharge(_book, Peer, 2000);
        var held = charge.Hold();

        charge.Release();
        _book.Used.Should().Be(2000);

        held.Release();
        _book.Used.Should().Be(0);
    }

    [Theory]
    [InlineData(1023, 0), InlineData(1024, 1024)]
    public void A_body_hands_over_its_bytes_unless_they_are_few(long bytes, long charged)
    {
        var budget = new BodyBudget(new BodyLimits(64 << 10, 16, 1, BlockSize.AtMost(1024)), _book);
        budget.TryTake(Peer, bytes).Should().BeTrue();

        var charge = budget.HandOver(Peer, bytes);

        (budget.Bytes, _book.Used).Should().Be((0, charged));
        charge?.Release();
        _book.Used.Should().Be(0);
    }
}
