using System.Diagnostics.CodeAnalysis;
using System.Globalization;

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

    public SuiteForm Form { get; private init; } = SuiteForm.Usual;

    /// <summary>The folder of tables and pictures.</summary>
    public string Output { get; private init; } = "benchmarks-results";

    /// <summary>Where the messages come from.</summary>
    public int Seed { get; private init; } = Environment.TickCount;

    /// <summary>What a process that this program starts is told.</summary>
    public IReadOnlyList<string> Words { get; private init; } = [];

    /// <summary>Whether the arguments are ours and not the benchmark runner's.</summary>
    public static bool IsCommand(string[] args) => args is [var first, ..] && Commands.Contains(first);

    public static bool TryParse(string[] args, [NotNullWhen(true)] out SuiteSettings? settings)
    {
        settings = new SuiteSettings(args[0]);
        for (var at = 1; at < args.Length; at++)
        {
            var next = at + 1 < args.Length ? args[at + 1] : "";
            switch (args[at])
            {
                case "--dry" or "--quick" or "--full":
                    settings = settings with { Form = Enum.Parse<SuiteForm>(args[at][2..], ignoreCase: true) };
                    break;
                case "--output" when next.Length > 0:
                    settings = settings with { Output = next };
                    at++;
                    break;
                case "--seed" when int.TryParse(next, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var seed):
                    settings = settings with { Seed = seed };
                    at++;
                    break;
                case var word when !word.StartsWith('-'):
                    settings = settings with { Words = [.. settings.Words, word] };
                    break;
                default:
                    settings = null;
                    return false;
            }
        }
        return true;
    }
}
