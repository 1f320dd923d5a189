using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Records;

public sealed class ReplayWindowTests
{
    [Fact, Trait("RFC", "6347 4.1.2.6")]
    public void Each_number_is_accepted_once_in_any_order_within_the_window()
    {
        var cut = new ReplayWindow();

        Accept(ref cut, 0).Should().Be("newest");
        Accept(ref cut, 0).Should().Be("used");
        Accept(ref cut, 70).Should().Be("newest");
        Accept(ref cut, 6).Should().Be("used", "the window covers 64 numbers");
        Accept(ref cut, 7).Should().Be("late");
        Accept(ref cut, 7).Should().Be("used");
        Accept(ref cut, 71).Should().Be("newest");
        Accept(ref cut, 70).Should().Be("used");
        Accept(ref cut, 7 + (1UL << 40)).Should().Be("newest");
        Accept(ref cut, 71).Should().Be("used");
    }

    [Fact]
    public void A_model_that_keeps_all_numbers_decides_the_same()
    {
        const int Seed = 6347;
        var random = new Random(Seed);
        var (cut, used, highest) = (new ReplayWindow(), new HashSet<ulong>(), 0UL);
        for (var i = 0; i < 200_000; i++)
        {
            var number = (ulong)Math.Max(0, (long)highest + random.Next(-90, random.Next(20) == 0 ? 200 : 4));
            var isNew = !used.Contains(number) && (used.Count == 0 || number > highest || highest - number < ReplayWindow.Size);

            cut.IsNew(number).Should().Be(isNew, $"seed {Seed}, step {i}");

            if (!isNew) { continue; }
            cut.Accept(number).Should().Be(used.Count == 0 || number > highest);
            used.Add(number);
            highest = Math.Max(highest, number);
        }
    }

    [Fact]
    public void After_a_restore_only_newer_numbers_are_new()
    {
        var cut = ReplayWindow.Beyond(1000);

        Accept(ref cut, 1000).Should().Be("used");
        Accept(ref cut, 999).Should().Be("used");
        Accept(ref cut, 1002).Should().Be("newest");
        Accept(ref cut, 1001).Should().Be("late");
    }

    private static string Accept(ref ReplayWindow cut, ulong number) => !cut.IsNew(number) ? "used" : cut.Accept(number) ? "newest" : "late";
}
