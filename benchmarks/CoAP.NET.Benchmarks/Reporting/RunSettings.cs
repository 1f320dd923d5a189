namespace CoAP.Benchmarks.Reporting;

/// <summary>The options that all measurements share.</summary>
/// <param name="Command">The name of the command.</param>
/// <param name="Form">How thoroughly it measures.</param>
/// <param name="Output">The folder of CSV files and charts.</param>
/// <param name="Only">The parts to measure; all when empty.</param>
/// <param name="Repeats">The number of repeats, when it was given.</param>
/// <param name="Seed">The seed of random messages.</param>
internal sealed record RunSettings(string Command, RunForm Form, string Output, IReadOnlyList<string> Only, int? Repeats, int Seed)
{
    public const string Usage = """
        Options of every measurement:
          --dry | --quick | --full   once for a moment | a minute or two | everything; default: about a quarter of an hour
          --only PART,PART           the parts to measure              --repeats N    repeats of each, instead of what the form says
          --output FOLDER            the folder of CSV files and charts (default: benchmarks-results)
        """;

    /// <summary>The form and the repeats, for the heading of a report.</summary>
    public string Description =>
        (Form == RunForm.Usual ? "usual form" : $"--{Form.ToString().ToLowerInvariant()}") + (Repeats is { } repeats ? $" --repeats {repeats}" : "");

    /// <summary>Takes the shared options from a command line. --only may name the given parts.</summary>
    public static RunSettings Read(string command, Arguments arguments, params IReadOnlyList<string> parts)
    {
        var form = arguments.Flag("--dry") ? RunForm.Dry : arguments.Flag("--quick") ? RunForm.Quick : arguments.Flag("--full") ? RunForm.Full : RunForm.Usual;
        var only = parts.Count == 0 ? null : arguments.Names("--only", parts);
        return new(
            command, form, arguments.Text("--output", "a folder") ?? "benchmarks-results", only ?? [], arguments.Count("--repeats", 1, 1_000_000),
            arguments.Count("--seed", 0, int.MaxValue) ?? Random.Shared.Next());
    }

    /// <summary>Whether a part is measured.</summary>
    public bool Wants(string part) => Only.Count == 0 || Only.Contains(part);
}
