namespace CoAP.Fuzzing.Engine;

/// <summary>A broken rule and the smallest input that was found to break it.</summary>
internal sealed record FoundFailure(FuzzInput Input, Exception Error, string Path);

/// <summary>Tries mutations of a corpus at a target. The same seed and the same number of inputs give the same run.</summary>
internal sealed class FuzzRun(FuzzTarget target, FuzzBudget budget, TimeProvider time)
{
    private const int MaxFailures = 5;
    private const int MaxCorpus = 4000;
    private const int ReductionTries = 400;

    private static readonly TimeSpan RemarkablySlow = TimeSpan.FromSeconds(1);

    private readonly Random _random = new(budget.Seed);
    private readonly HashSet<ulong> _features = [];
    private readonly List<FuzzInput> _corpus = [];
    private readonly Dictionary<string, FoundFailure> _failures = [];

    public int Inputs { get; private set; }

    public TimeSpan Elapsed { get; private set; }

    public int Corpus => _corpus.Count;

    public int Features => _features.Count;

    public TimeSpan Slowest { get; private set; }

    public IReadOnlyCollection<FoundFailure> Failures => _failures.Values;

    public double InputsPerSecond => Inputs / Math.Max(Elapsed.TotalSeconds, 1e-6);

    public FuzzRun Run()
    {
        var start = time.GetTimestamp();
        using var watch = new Watch(target, time);
        foreach (var (_, input) in FuzzFolders.Corpus(target)) { Try(input, watch); }
        var mutator = new Mutator(_random, target);
        while (_failures.Count < MaxFailures && (Inputs < target.LeastInputs || time.GetElapsedTime(start) < budget.Share))
        {
            Try(mutator.Mutate(Pick(), Pick()), watch);
        }
        Elapsed = time.GetElapsedTime(start);
        return this;
    }

    // Half of the picks are among the latest inputs: what they have reached is the least explored.
    private FuzzInput Pick()
    {
        if (_corpus.Count == 0) { return new FuzzInput([]); }
        var recent = Math.Min(_corpus.Count, 32);
        return _random.Next(2) == 0 ? _corpus[_random.Next(_corpus.Count)] : _corpus[^(1 + _random.Next(recent))];
    }

    private void Try(FuzzInput input, Watch watch)
    {
        Inputs++;
        watch.Begin(input);
        var trace = new Trace();
        try { target.Run(input, trace); }
        catch (Exception error) { Keep(input, error); }
        var duration = watch.End();
        if (duration > Slowest) { KeepSlowest(input, duration); }
        var known = _features.Count;
        _features.UnionWith(trace.Features);
        if (_features.Count == known) { return; }
        if (_corpus.Count < MaxCorpus) { _corpus.Add(input); }
        else { _corpus[_random.Next(_corpus.Count)] = input; }
    }

    // Time decides about no test: a busy machine makes any input slow. The file shows which one to look at.
    private void KeepSlowest(FuzzInput input, TimeSpan duration)
    {
        Slowest = duration;
        if (duration > RemarkablySlow) { FuzzFolders.Write("slow", target, input, $"{target.Name}, seed {budget.Seed}, input {Inputs}: {duration.TotalMilliseconds:0} ms"); }
    }

    private void Keep(FuzzInput input, Exception error)
    {
        var kind = KindOf(error);
        if (_failures.ContainsKey(kind)) { return; }
        var (smallest, reason) = Reduce(input, error, kind);
        var path = FuzzFolders.Write("regressions", target, smallest, $"{target.Name}, seed {budget.Seed}, input {Inputs}\n{reason}");
        _failures[kind] = new FoundFailure(smallest, reason, path);
    }

    private (FuzzInput, Exception) Reduce(FuzzInput input, Exception error, string kind)
    {
        var tries = ReductionTries;
        for (var hasShrunk = true; hasShrunk && tries > 0;)
        {
            hasShrunk = false;
            foreach (var smaller in Reduction.Of(input))
            {
                if (tries-- == 0) { break; }
                if (Record.Exception(() => target.Run(smaller, new Trace())) is not { } again || KindOf(again) != kind) { continue; }
                (input, error, hasShrunk) = (smaller, again, true);
                break;
            }
        }
        return (input, error);
    }

    // Two inputs have the same cause if the same line threw the same exception. The numbers in its message differ from input to input. A broken rule
    // has a text of its own, and where it is checked changes as the compiler inlines.
    private static string KindOf(Exception error)
    {
        var root = error.GetBaseException();
        var line = root is FuzzFailure ? null : root.StackTrace?.Split('\n').FirstOrDefault(line => line.Contains("CoAP.", StringComparison.Ordinal));
        return $"{root.GetType().Name} {Trace.Outline(root.Message)} {line}";
    }
}
