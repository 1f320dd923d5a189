using CoAP.Resources;

namespace CoAP.Tests.Resources;

/// <summary>When a handler runs on its lane, and when on a handler thread.</summary>
public sealed class HandlerTests
{
    private const int EnoughQuickCalls = 64;    // HandlerMode.Learned

    [Fact]
    public void A_handler_that_learns_begins_buffered_and_runs_inline_after_64_quick_calls_in_a_row()
    {
        var handler = Create(HandlerMode.Learned);
        Call(handler, EnoughQuickCalls - 1);
        handler.RecordBuffered(wasQuick: false, mayLearn: true);
        Call(handler, EnoughQuickCalls - 1);
        handler.IsBuffered.Should().BeTrue();

        Call(handler, 1);

        handler.IsBuffered.Should().BeFalse();
    }

    [Theory]
    [InlineData(HandlerMode.Buffered, true, true)]
    [InlineData(HandlerMode.Learned, false, true)]
    [InlineData(HandlerMode.Inline, true, false)]
    public void A_handler_stays_where_it_was_mapped_unless_it_learns(HandlerMode mode, bool mayLearn, bool isBuffered)
    {
        var handler = Create(mode);

        Call(handler, 1000, mayLearn);

        handler.IsBuffered.Should().Be(isBuffered);
    }

    [Fact]
    public void After_the_third_return_it_stays_buffered_so_it_holds_a_lane_up_nine_times_at_most()
    {
        var handler = Create(HandlerMode.Learned);
        var stalls = 0;
        for (var call = 0; call < 10_000; call++)
        {
            if (handler.IsBuffered) { handler.RecordBuffered(wasQuick: true, mayLearn: true); }
            else
            {
                stalls++;
                if (handler.IsTooSlowAfter(wasSlow: true)) { handler.MoveToBuffered().Should().BeTrue(); }
            }
        }

        stalls.Should().Be(9);
        handler.IsBuffered.Should().BeTrue();
    }

    [Fact]
    public void A_handler_that_has_waited_for_a_lane_stays_buffered()
    {
        var handler = Create(HandlerMode.Learned);
        Call(handler, EnoughQuickCalls);

        handler.StayBuffered();
        Call(handler, 1000);

        handler.IsBuffered.Should().BeTrue();
    }

    private static Handler Create(HandlerMode mode) => new((_, _) => new(Response.Changed), mode, "/r");

    private static void Call(Handler handler, int times, bool mayLearn = true)
    {
        for (var i = 0; i < times; i++) { handler.RecordBuffered(wasQuick: true, mayLearn); }
    }
}
