using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

public class DeadlineQueueTests
{
    private sealed class Alarm(long deadline) : IDeadline
    {
        public long Deadline { get; set; } = deadline;

        public int QueueIndex { get; set; }
    }

    [Fact]
    public void Items_come_in_the_order_of_their_deadlines_and_not_before()
    {
        var cut = new DeadlineQueue<Alarm>();
        foreach (var deadline in new long[] { 30, 10, 50, 20, 40 }) { cut.Update(new(deadline)); }

        cut.NextDeadline.Should().Be(10);
        cut.TryPop(9, out _).Should().BeFalse();
        var popped = new List<long>();
        while (cut.TryPop(40, out var item)) { popped.Add(item.Deadline); }

        popped.Should().Equal(10, 20, 30, 40);
        cut.Count.Should().Be(1);
        cut.NextDeadline.Should().Be(50);
    }

    [Fact]
    public void An_empty_queue_has_no_deadline()
    {
        var cut = new DeadlineQueue<Alarm>();

        cut.NextDeadline.Should().Be(long.MaxValue);
        cut.TryPop(long.MaxValue, out _).Should().BeFalse();
    }

    [Fact]
    public void An_item_without_a_deadline_is_taken_out()
    {
        var cut = new DeadlineQueue<Alarm>();
        var item = new Alarm(5);
        cut.Update(item);

        item.Deadline = long.MaxValue;
        cut.Update(item);
        cut.Remove(item);

        cut.Count.Should().Be(0);
        item.QueueIndex.Should().Be(0);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Behaves_like_a_sorted_set_under_random_operations(int seed)
    {
        var random = new Random(seed);
        var cut = new DeadlineQueue<Alarm>();
        var alarms = Enumerable.Range(0, 200).Select(_ => new Alarm(0)).ToArray();
        var model = new HashSet<Alarm>();
        for (var i = 0; i < 20_000; i++)
        {
            var alarm = alarms[random.Next(alarms.Length)];
            switch (random.Next(4))
            {
                case 0:
                    cut.Remove(alarm);
                    model.Remove(alarm);
                    break;
                case 1 when cut.TryPop(random.Next(1000), out var popped):
                    popped.Deadline.Should().Be(model.Min(item => item.Deadline), "seed {0}, step {1}", seed, i);
                    model.Remove(popped).Should().BeTrue("seed {0}, step {1}", seed, i);
                    break;
                default:
                    alarm.Deadline = random.Next(1000);
                    cut.Update(alarm);
                    model.Add(alarm);
                    break;
            }
            cut.Count.Should().Be(model.Count, "seed {0}, step {1}", seed, i);
            var next = model.Count == 0 ? long.MaxValue : model.Min(item => item.Deadline);
            cut.NextDeadline.Should().Be(next, "seed {0}, step {1}", seed, i);
        }
    }
}
