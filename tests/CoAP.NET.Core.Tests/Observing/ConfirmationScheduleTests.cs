using CoAP.Observing;

namespace CoAP.Tests.Observing;

public sealed class ConfirmationScheduleTests
{
    private static readonly long Day = TimeSpan.FromHours(24).Ticks;

    [Fact, Trait("RFC", "7641 4.5")]
    public void One_in_so_many_is_due()
    {
        var cut = new ConfirmationSchedule(now: 0);
        var due = new List<int>();
        for (var i = 1; i <= 9; i++)
        {
            if (cut.IsDue(i, every: 4, Day))
            {
                due.Add(i);
                cut.Confirmed(i);
            }
            else { cut.SentUnconfirmed(); }
        }

        due.Should().Equal(4, 8);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void A_confirmation_is_due_a_day_after_the_last_acknowledgement()
    {
        var cut = new ConfirmationSchedule(now: 0);
        cut.Confirmed(5);

        cut.IsDue(Day + 4, every: 100, Day).Should().BeFalse();
        cut.IsDue(Day + 5, every: 100, Day).Should().BeTrue();
    }

    [Fact]
    public void One_in_one_is_all_of_them()
    {
        new ConfirmationSchedule(now: 0).IsDue(0, every: 1, Day).Should().BeTrue();
    }
}
