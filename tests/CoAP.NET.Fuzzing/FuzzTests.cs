using CoAP.Fuzzing.Engine;
using Xunit.Abstractions;

namespace CoAP.Fuzzing;

/// <summary>Looks for inputs that break a rule: first those that did so once, then mutations of the corpus for a share of the time.</summary>
public sealed class FuzzTests(ITestOutputHelper output)
{
    public static TheoryData<string> Names => [.. Targets.All.Select(target => target.Name)];

    public static TheoryData<string, string> Regressions
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (var target in Targets.All)
            {
                foreach (var (name, _) in FuzzFolders.Corpus(target).Concat(FuzzFolders.Regressions(target))) { data.Add(target.Name, name); }
            }
            return data;
        }
    }

    [Theory, MemberData(nameof(Regressions))]
    public void A_known_input_breaks_no_rule(string target, string file)
    {
        var cut = Targets.Of(target);
        var (_, input) = FuzzFolders.Corpus(cut).Concat(FuzzFolders.Regressions(cut)).First(one => one.Name == file);

        cut.Run(input, new Trace());
    }

    [Theory, MemberData(nameof(Names))]
    public void No_mutation_of_the_corpus_breaks_a_rule(string target)
    {
        var cut = Targets.Of(target);
        var budget = FuzzBudget.Of(Targets.All.Count);
        output.WriteLine($"{target}: seed {budget.Seed}, {budget.Share.TotalSeconds:0.0} s");

        var run = new FuzzRun(cut, budget, TimeProvider.System).Run();

        Report(target, budget, run);
        run.Failures.Count.Should().Be(0, "{0}", string.Join("\n\n", run.Failures.Select(one => $"{one.Error}\n{one.Path}\n{one.Input}")));
        run.Corpus.Should().BePositive("otherwise the corpus is missing");
    }

    private void Report(string target, FuzzBudget budget, FuzzRun run)
    {
        var row = string.Create(CultureInfo.InvariantCulture, $"{target},{budget.Seed},{run.Inputs},{run.Elapsed.TotalSeconds:0.0},{run.InputsPerSecond:0},{run.Slowest.TotalMilliseconds:0.0},{run.Corpus},{run.Features},{run.Failures.Count}");
        output.WriteLine($"{run.Inputs} inputs, {run.InputsPerSecond:0} per second, {run.Corpus} kept, {run.Features} features, slowest {run.Slowest.TotalMilliseconds:0.0} ms");
        Directory.CreateDirectory(FuzzFolders.Artifacts);
        var table = Path.Combine(FuzzFolders.Artifacts, "inputs.csv");
        if (!File.Exists(table)) { File.WriteAllText(table, "target,seed,inputs,seconds,inputs per second,slowest in ms,corpus,features,failures\n"); }
        File.AppendAllText(table, row + "\n");
    }
}
