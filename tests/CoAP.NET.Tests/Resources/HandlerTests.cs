using CoAP.Lanes;
using CoAP.Resources;
using CoAP.Runtimes;
using CoAP.TestSupport;
using CoAP.Vocabulary;

namespace CoAP.Tests.Resources;

/// <summary>When a handler runs on its lane, and when on a handler thread.</summary>
public sealed class HandlerTests : IDisposable
{
    private const int EnoughQuickCalls = 64;    // HandlerMode.Learned

    private static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(2.1);

    private readonly ManualClock _time = new();
    private readonly TestLog _log = new();

    public void Dispose()
    {
        MeasuredCall.SettingsOfThread = null;
        _log.Dispose();
    }

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
                if (handler.IsTooSlowAfter(Slow, _time)) { handler.MoveToBuffered().Should().BeTrue(); }
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

    // Whoever makes a handler slow can also make it fast.
    [Theory]
    [InlineData(2.1, 33, 3)]
    [InlineData(2.1, 10_000, 3)]
    [InlineData(6, 33, 1)]
    [InlineData(1, 33, 6)]
    public void Fast_calls_between_slow_ones_do_not_keep_a_handler_on_a_lane(double milliseconds, int fastCalls, int slowCalls)
    {
        var handler = Create(HandlerMode.Learned);
        Call(handler, EnoughQuickCalls);

        for (var call = 1; call < slowCalls; call++)
        {
            handler.IsTooSlowAfter(TimeSpan.FromMilliseconds(milliseconds), _time).Should().BeFalse();
            for (var fast = 0; fast < fastCalls; fast++) { handler.IsTooSlowAfter(TimeSpan.Zero, _time).Should().BeFalse(); }
        }

        handler.IsTooSlowAfter(TimeSpan.FromMilliseconds(milliseconds), _time).Should().BeTrue();
    }

    // A handler that is rarely slow is worth more on its lane.
    [Theory, InlineData(200, false), InlineData(100, true)]
    public void Two_percent_of_the_time_are_forgiven(int pause, bool isTooSlow)
    {
        var handler = Create(HandlerMode.Learned);
        Call(handler, EnoughQuickCalls);
        var wasTooSlow = false;

        for (var call = 0; call < 10; call++)
        {
            wasTooSlow |= handler.IsTooSlowAfter(TimeSpan.FromMilliseconds(3), _time);
            _time.Advance(TimeSpan.FromMilliseconds(pause));
        }

        wasTooSlow.Should().Be(isTooSlow);
    }

    [Fact]
    public void A_call_of_a_tenth_of_a_millisecond_is_quick()
    {
        var handler = Create(HandlerMode.Learned);
        Call(handler, EnoughQuickCalls);

        for (var call = 0; call < 1000; call++) { handler.IsTooSlowAfter(TimeSpan.FromMicroseconds(100), _time).Should().BeFalse(); }
    }

    // Requests of quick handlers share a thread, and one that waits would hold up the others.
    [Fact]
    public void A_call_that_waited_for_a_lane_was_not_quick()
    {
        var waits = false;
        var handler = new Handler(
            (_, _) =>
            {
                if (waits) { SynchronousCalls.CountWait(); }
                return new(Response.Changed);
            },
            HandlerMode.Buffered, "/r");
        MeasuredCall.SettingsOfThread = new(
            MaxInlinePayload: 0, new EndpointLog(_log, TimeProvider.System), Rate: null, _time, EndpointRuntime.Threads)
        {
            LearnsHandlers = true,
            LostTime = static () => TimeSpan.Zero,
        };
        for (var call = 0; call < EnoughQuickCalls; call++) { _ = handler.Invoke(null!, default).AsTask(); }
        handler.IsQuick.Should().BeTrue();
        waits = true;

        _ = handler.Invoke(null!, default).AsTask();

        handler.IsQuick.Should().BeFalse();
    }

    [Fact]
    public void While_another_handler_runs_inside_a_synchronous_one_and_after_it_requests_on_its_lane_fail()
    {
        var ask = static () => SynchronousCalls.CountRequest(isOwnLane: true);
        SynchronousCalls.BeginHandler(out var none);
        SynchronousCalls.BeginHandler(out var outer);
        ask.Should().Throw<InvalidOperationException>();
        SynchronousCalls.EndHandler(outer);
        ask.Should().Throw<InvalidOperationException>();

        SynchronousCalls.EndHandler(none);

        ask.Should().NotThrow();
    }

    private static Handler Create(HandlerMode mode) => new((_, _) => new(Response.Changed), mode, "/r");

    private static void Call(Handler handler, int times, bool mayLearn = true)
    {
        for (var i = 0; i < times; i++) { handler.RecordBuffered(wasQuick: true, mayLearn); }
    }
}
