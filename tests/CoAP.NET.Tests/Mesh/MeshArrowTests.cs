using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Mesh;

/// <summary>Blocks and stages of users at every arrow of a lane of datagrams.</summary>
public sealed class MeshArrowTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);      // of real time: the blocks run on threads of their own

    public static TheoryData<string> All => [.. Arrows.All.Except(Arrows.OfSignals)];

    /// <summary>A request that the endpoint puts to itself is put again only after it has ended, which a lost one does not.</summary>
    public static TheoryData<string> OfPeers => [.. Arrows.All.Except(Arrows.OfSignals).Where(arrow => arrow != nameof(MeshArrow.ObserverRequests))];

    [Theory, MemberData(nameof(All))]
    public async Task A_tap_sees_the_traffic(string arrow)
    {
        var (tap, behind) = (new Tap(), new Counter());
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, tap), Arrows.Link(arrow, behind));

        cut.Play();

        await tap.First.WaitAsync(Patience);
        behind.Count.Should().BePositive();
    }

    [Theory, MemberData(nameof(All))]
    public async Task A_tap_that_fails_stops_nothing(string arrow)
    {
        var behind = new Counter();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, new Tap(throws: true)), Arrows.Link(arrow, behind));
        cut.Play();
        await cut.End.Log.FirstError.WaitAsync(Patience);
        var before = behind.Count;

        cut.Play();

        behind.Count.Should().BeGreaterThan(before);
        cut.End.Log.Lines(LogLevel.Error).Should().ContainSingle(static line => line.StartsWith("A block", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(All))]
    public void A_filter_drops_an_item_and_the_next_ones_pass(string arrow)
    {
        var behind = new Counter();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, new FirstDropped()), Arrows.Link(arrow, behind));

        cut.Play();
        cut.Play();

        behind.Count.Should().BePositive();
        cut.End.Log.Lines(LogLevel.Error).Should().BeEmpty();
    }

    [Theory, MemberData(nameof(All))]
    public void A_filter_that_throws_drops_the_item_and_the_next_ones_pass(string arrow)
    {
        var behind = new Counter();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, new FirstDropped(throws: true)), Arrows.Link(arrow, behind));

        cut.Play();
        cut.Play();

        behind.Count.Should().BePositive();
        cut.End.Log.Lines(LogLevel.Error).Should().ContainSingle();
    }

    [Theory, MemberData(nameof(All))]
    public void A_block_that_items_go_through_gives_them_back(string arrow)
    {
        var behind = new Counter();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, new Through()), Arrows.Link(arrow, behind));

        cut.Play();
        while (behind.Count == 0) { cut.Wait(); }

        cut.End.Log.Lines(LogLevel.Error).Should().BeEmpty();
    }

    [Theory, MemberData(nameof(OfPeers))]
    public async Task A_block_that_fails_is_passed_by(string arrow)
    {
        var behind = new Counter();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, new Through(throws: true)), Arrows.Link(arrow, behind));
        cut.Play();
        await cut.End.Log.FirstError.WaitAsync(Patience);
        var before = behind.Count;

        cut.Play();

        behind.Count.Should().BeGreaterThan(before);
        cut.End.Log.Lines(LogLevel.Error).Should().ContainSingle(static line => line.StartsWith("A block", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(OfPeers))]
    public void A_stage_that_throws_is_logged_once_and_the_next_items_pass(string arrow)
    {
        var behind = new Counter();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, new FailingStage()), Arrows.Link(arrow, behind));
        cut.End.ToleratesFaults = true;

        cut.Play();
        cut.Play();

        behind.Count.Should().BePositive();
        cut.End.Log.Lines(LogLevel.Error).Should().ContainSingle();
        cut.End.Lane.PendingRequests.Should().Be(0);
    }
}
