using System.Diagnostics;
using CoAP.Tool.LoadEngine;

namespace CoAP.Tool.Tests.LoadEngine;

public sealed class OpenLoopScheduleTests
{
    private const long Start = 1_000;

    private readonly OpenLoopSchedule _cut = new(Start, rate: Stopwatch.Frequency / 1_000.0);

    [Fact]
    public void No_request_is_due_early()
    {
        _cut.TryTake(Start, out _);

        _cut.TryTake(Start + 999, out _).Should().BeFalse();
        _cut.TryTake(Start + 1_000, out _).Should().BeTrue();
    }

    [Fact]
    public void Requests_that_a_stall_delays_keep_their_due_times()
    {
        var due = new List<long>();

        while (_cut.TryTake(Start + 5_500, out var one)) { due.Add(one - Start); }

        due.Should().Equal(0, 1_000, 2_000, 3_000, 4_000, 5_000);
    }

    [Fact]
    public void Requests_that_are_due_and_not_taken_are_behind()
    {
        _cut.TryTake(Start + 10_000, out _);

        _cut.Behind(Start + 10_000).Should().Be(10);
        _cut.Behind(Start - 1).Should().Be(0);
    }

    [Fact]
    public void Rounding_does_not_add_up()
    {
        var cut = new OpenLoopSchedule(Start, rate: 3);

        for (var taken = 0; taken < 3_000; taken++) { cut.TryTake(long.MaxValue, out _); }

        cut.Next.Should().BeCloseTo(Start + (1_000 * Stopwatch.Frequency), 1);
    }
}
