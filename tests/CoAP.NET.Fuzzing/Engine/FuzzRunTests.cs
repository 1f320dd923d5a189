using CoAP.TestSupport;

namespace CoAP.Fuzzing.Engine;

/// <summary>The machine that looks for defects finds those that were put there.</summary>
public sealed class FuzzRunTests
{
    private static readonly FuzzBudget NoTime = new(TimeSpan.Zero, Seed: 1);

    [Fact]
    public void A_defect_behind_four_conditions_is_found_by_the_features_on_the_way_to_it_and_made_small()
    {
        var run = new FuzzRun(new Staircase(), NoTime, new ManualClock()).Run();

        var found = run.Failures.Should().ContainSingle().Subject;
        found.Input.Joined().Should().StartWith([0xFF, 0x0D, 0x0E, 0x0F]);
        found.Input.Length.Should().Be(4);
        FuzzInput.Parse(File.ReadAllText(found.Path)).Joined().Should().Equal(found.Input.Joined());
    }

    [Fact]
    public void The_same_seed_gives_the_same_run_and_another_seed_another()
    {
        var (first, again, other) = (Log(1), Log(1), Log(2));

        again.Should().Equal(first);
        other.Should().NotEqual(first);
    }

    [Fact]
    public void An_input_is_read_from_the_text_that_it_is_written_as()
    {
        var input = new FuzzInput([[1, 2], [3]]);

        FuzzInput.Parse("# a remark\n" + input).Steps.Select(step => Hex.Text(step)).Should().Equal("0102", "03");
    }

    private static List<string> Log(int seed)
    {
        var target = new Recording();
        new FuzzRun(target, NoTime with { Seed = seed }, new ManualClock()).Run();
        return target.Inputs;
    }

    private sealed class Staircase() : FuzzTarget("planted")
    {
        private static readonly byte[] Secret = [0xFF, 0x0D, 0x0E, 0x0F];

        public override int LeastInputs => 200_000;

        public override int MaxLength => 32;

        public override void Run(FuzzInput input, Trace trace)
        {
            var steps = input.Joined().Zip(Secret).TakeWhile(pair => pair.First == pair.Second).Count();
            trace.Add("step", steps);
            FuzzFailure.ThrowIf(steps == Secret.Length, "the planted defect");
        }
    }

    private sealed class Recording() : FuzzTarget("recording")
    {
        public List<string> Inputs { get; } = [];

        public override int LeastInputs => 200;

        public override void Run(FuzzInput input, Trace trace)
        {
            trace.AddSize("length", input.Length);
            Inputs.Add(input.ToString());
        }
    }
}
