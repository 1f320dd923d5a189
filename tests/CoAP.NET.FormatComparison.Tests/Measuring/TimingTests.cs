using CoAP.FormatComparison.Measuring;

namespace CoAP.FormatComparison.Tests.Measuring;

public sealed class TimingTests
{
    private static readonly TimeSpan None = TimeSpan.Zero;

    [Fact]
    public void Each_run_is_verified()
    {
        var (work, verified) = (0, 0);

        var cost = new Timing(Repeats: 5, None, None, TimeSpan.FromMinutes(1)).Measure(() => work++, () => verified++);

        cost.Milliseconds.Count.Should().Be(5);
        work.Should().Be(6, "the first operation is not timed");
        verified.Should().Be(6);
    }

    [Fact]
    public void Allocated_bytes_are_those_of_one_operation()
    {
        object? kept = null;

        var cost = new Timing(5, None, None, TimeSpan.FromMinutes(1)).Measure(() => kept = new byte[100_000], static () => { });

        cost.Allocated.Should().BeInRange(100_000, 110_000);
        kept.Should().NotBeNull();
    }
}
