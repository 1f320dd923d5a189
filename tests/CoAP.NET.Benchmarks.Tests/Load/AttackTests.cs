namespace CoAP.Benchmarks.Load.Tests;

public class AttackTests
{
    [Fact]
    public void Colliding_tokens_differ_and_have_equal_halves()
    {
        var one = new byte[12];
        var other = new byte[12];

        Numberings.Collisions(one, 1);
        Numberings.Collisions(other, 2);

        one.Should().NotEqual(other);
        one[4..8].Should().Equal(one[8..12]);
    }

    [Fact]
    public void Each_attack_has_its_own_name_and_both_paces_unless_it_is_about_a_number()
    {
        LedgerAttack.All.Select(static attack => attack.Name).Should().OnlyHaveUniqueItems();
        LedgerAttack.All.Where(static attack => attack.Paces.Count == 1).Select(static attack => attack.Name)
            .Should().Equal("reflector-forged", "turns-large-96", "turns-large-400");
    }

    [Fact]
    public void What_several_attackers_sent_is_added_up() =>
        Sent.Sum([new(2, "first"), new(3), new(4, "last")]).Should().Be(new Sent(9, "first; last"));

    [Fact]
    public void A_dry_run_takes_one_pace_of_each_attack()
    {
        var plan = AttacksPlan.Read(new(["--dry"]));

        var paces = LedgerAttack.All.Select(plan.PacesOf).ToArray();

        paces.Should().OnlyContain(static one => one.Count() == 1);
        paces.SelectMany(static one => one).Should().Contain([Pace.Fast, Pace.Slow]);
    }
}
