using System.Diagnostics;
using CoAP.Tool.Benchmarking;

namespace CoAP.Tool.Tests.Benchmarking;

public sealed class RateScheduleTests
{
    [Fact]
    public void Requests_are_due_at_even_intervals_whatever_happens_between()
    {
        var cut = new RateSchedule(3, start: 1000);

        long[] due = [.. Enumerable.Range(0, 301).Select(_ => cut.Take())];

        due[0].Should().Be(1000);
        due[3].Should().Be(1000 + Stopwatch.Frequency);
        due[300].Should().Be(1000 + (100 * Stopwatch.Frequency));
        cut.Next.Should().BeGreaterThan(due[300]);
    }
}
