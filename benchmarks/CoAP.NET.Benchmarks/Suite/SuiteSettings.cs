using System.Diagnostics.CodeAnalysis;
using CoAP.Benchmarks.Checks;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Suite;

/// <summary>What the command line says.</summary>
internal sealed record SuiteSettings(string Command)
{
    public const string Usage = """
        CoAP.NET.Benchmarks COMMAND [--dry | --quick | --full] [--output FOLDER] [--seed N]
          grid       options by payload: Serialize, SerializeAsync, Deserialize, DeserializeAsync
          series     the case study's second series, up to 100,000 options and 100 MB
          peak       100,000 options and 1 GB, each method in a process of its own, with its peak memory
          pairs      sync against async to the same end, in turns, by size
          small      small real messages beside what is hand-written for them
          text       three ways to write texts
          writers    buffers that grow, and one that need not
          checks     what must hold on each machine; fails where it does not; parts small, large, growth, requests
          transfers  bodies over a slow path, in simulated time
        CoAP.NET.Benchmarks ARGUMENTS OF BENCHMARKDOTNET, such as --filter '*SmallMessage*'
        """;

    private static readonly string[] Commands = ["grid", "series", "peak", "peak-run", "pairs", "small", "text", "writers", "checks", "transfers"];

    public RunForm Form { get; private init; } = RunForm.Usual;

    /// <summary>The folder of tables and pictures.</summary>
    public string Output { get; private init; } = "benchmarks-results";

    /// <summary>Where the messages come from.</summary>
    public int Seed { get; private init; } = Environment.TickCount;

    /// <summary>What a process that this program starts is told.</summary>
    public IReadOnlyList<string> Words { get; private init; } = [];

    /// <summary>Whether the arguments are ours and not the benchmark runner's.</summary>
    public static bool IsCommand(string[] args) => args is [var first, ..] && Commands.Contains(first);

    public static bool TryParse(string[] args, [NotNullWhen(true)] out SuiteSettings? settings, [NotNullWhen(false)] out string? error) =>
        WordsOf(args[0]).TryRead(args.AsSpan(1), new SuiteSettings(args[0]), out settings, out error);

    private static Words<SuiteSettings> WordsOf(string command)
    {
        var words = new Words<SuiteSettings>()
            .Form(static (settings, form) => settings with { Form = form })
            .Output(static (settings, folder) => settings with { Output = folder })
            .Seed(static (settings, seed) => settings with { Seed = seed });
        return command switch
        {
            "checks" => words.Plain(string.Join(", ", ChecksCommand.Parts), static (settings, part) => ChecksCommand.Parts.Contains(part) ? settings.Add(part) : null),
            "peak-run" => words.Plain("a method and its megabytes", static (settings, word) => settings.Add(word)),
            _ => words,
        };
    }

    private SuiteSettings Add(string word) => this with { Words = [.. Words, word] };
}
