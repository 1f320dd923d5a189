using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;

namespace CoAP.Tests.Blocks;

/// <summary>An inline stage accepts or has ended; it never postpones, so nothing can get stuck behind it.</summary>
public sealed class InlineStageTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly DataflowLinkOptions Propagating = new() { PropagateCompletion = true };

    [Fact]
    public void Work_is_done_inside_the_offer_and_the_result_handed_on()
    {
        var seen = new List<int>();
        var stage = new Doubling();
        stage.LinkTo(new SinkStage<int>((in int item) => seen.Add(item)));

        stage.Post(21).Should().BeTrue();

        seen.Should().Equal(42);
    }

    [Fact]
    public void A_completed_stage_and_its_targets_decline_every_item()
    {
        var (stage, next) = (new Doubling(), new Doubling());
        stage.LinkTo(next, Propagating);

        stage.Complete();

        stage.Post(1).Should().BeFalse();
        next.Post(1).Should().BeFalse();
        stage.Completion.IsCompletedSuccessfully.Should().BeTrue();
        ((ITargetBlock<int>)stage).OfferMessage(new DataflowMessageHeader(1), 1, null, false).Should().Be(DataflowMessageStatus.DecliningPermanently);
    }

    [Fact]
    public void The_fault_of_a_source_is_the_end_of_the_line_and_nothing_more()
    {
        var (stage, next) = (new Doubling(), new Doubling());
        stage.LinkTo(next, Propagating);

        ((IDataflowBlock)stage).Fault(new InvalidOperationException("broken"));

        next.Completion.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public void A_stage_behind_several_sources_completes_with_the_last_of_them()
    {
        var (first, second, joined) = (new Doubling(), new Doubling(), new Doubling());
        first.LinkTo(joined, Propagating);
        second.LinkTo(joined, Propagating);

        first.Complete();
        joined.Completion.IsCompleted.Should().BeFalse("the second source may still send");
        second.Complete();

        joined.Completion.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public async Task Stock_blocks_may_stand_before_and_behind_it()
    {
        var (before, stage, behind) = (new BufferBlock<int>(), new Doubling(), new BufferBlock<int>());
        before.LinkTo(stage, Propagating);
        stage.LinkTo(behind, Propagating);

        for (var item = 0; item < 1000; item++) { before.Post(item); }
        before.Complete();
        await stage.Completion.WaitAsync(Patience);

        behind.TryReceiveAll(out var items).Should().BeTrue();
        items.Should().Equal(Enumerable.Range(0, 1000).Select(item => 2 * item));
    }

    [Fact]
    public void Links_are_offered_each_item_in_their_order_until_one_takes_it()
    {
        var (even, rest) = (new List<int>(), new List<int>());
        var refused = MeshCounters.Refused;
        var stage = new Passing();
        stage.LinkTo(new SinkStage<int>((in int item) => even.Add(item)), item => item % 2 == 0);
        var link = stage.LinkTo(new SinkStage<int>((in int item) => rest.Add(item)), new DataflowLinkOptions());

        foreach (var item in new[] { 1, 2, 3 }) { stage.Post(item); }
        link.Dispose();
        stage.Post(5);

        even.Should().Equal(2);
        rest.Should().Equal(1, 3);
        (MeshCounters.Refused - refused).Should().BePositive("an item that nobody takes is counted and gone");
    }

    [Fact]
    public void A_target_that_has_ended_is_unlinked_and_the_next_one_takes_over()
    {
        var taken = new List<int>();
        var (ended, stage) = (new Doubling(), new Passing());
        stage.LinkTo(ended);
        stage.LinkTo(new SinkStage<int>((in int item) => taken.Add(item)));
        ended.Complete();

        stage.Post(1);
        stage.Post(2);

        taken.Should().Equal(1, 2);
    }

    private sealed class Passing : InlineStage<int, int>
    {
        protected override void Process(in int item) => Out.Emit(item);
    }

    private sealed class Doubling : InlineStage<int, int>
    {
        protected override void Process(in int item) => Out.Emit(2 * item);
    }
}
