using System.Diagnostics.CodeAnalysis;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements;

/// <summary>What the command line says.</summary>
internal sealed record RunSettings(string Command)
{
    public const string Usage = """
        CoAP.NET.Measurements COMMAND [--dry | --quick | --full] [--output FOLDER] [--only PART,PART] [--repeats N]
          transports   clients, small packets and downloads over each transport; parts single, clients, first, packets, downloads; over=TCP,TLS for some
          drip         a message byte by byte, and large bodies in blocks, to a sync and to an async server; parts drip, bodies
          clients      calls one after another beside bare sockets, and 64 in flight; parts roundtrips, flight
          servers      a reverse echo over bare sockets and over CoAP, sync and async, idle connections, and handlers that wait
          siege        /hello beside malformed frames, half-open connections, drip-feeders and floods; parts are the attackers' names; mode=sync for the other server
          handoff      what it costs to hand something to another thread, process or network; runs=N turns=N seconds=N, parts are the rungs' names
          mesh         inline and buffered stages, alone and in a whole server; parts stages, server, sizes, thresholds, lanes
          ask          load for a profile: confirmable GET /hello over UDP; port=N seconds=N
          fold         a table of what "perf script" prints, on the input; see benchmarks/profile
        """;

    public RunForm Form { get; private init; } = RunForm.Usual;

    /// <summary>The folder of the CSV files and pictures.</summary>
    public string Output { get; private init; } = "measurements";

    /// <summary>The parts that are measured; all where there is none.</summary>
    public IReadOnlyList<string> Only { get; private init; } = [];

    /// <summary>The repeats, instead of what the form says.</summary>
    public int? Repeats { get; private init; }

    /// <summary>What was given as "name=value", above all to a process that this program starts as a server.</summary>
    public IReadOnlyDictionary<string, string> Values { get; private init; } = new Dictionary<string, string>();

    /// <summary>What a table says of how it was made.</summary>
    public string Description =>
        (Form == RunForm.Usual ? "usual form" : $"--{Form.ToString().ToLowerInvariant()}") + (Repeats is { } repeats ? $" --repeats {repeats}" : "");

    public bool Wants(string part) => Only.Count == 0 || Only.Contains(part);

    public static bool TryParse(string[] args, [NotNullWhen(true)] out RunSettings? settings, [NotNullWhen(false)] out string? error)
    {
        (settings, error) = (null, args.Length == 0 ? "A command is missing." : null);
        return error is null && Words.TryRead(args.AsSpan(1), new RunSettings(args[0]), out settings, out error);
    }

    private static Words<RunSettings> Words => new Words<RunSettings>()
        .Form(static (settings, form) => settings with { Form = form })
        .Output(static (settings, folder) => settings with { Output = folder })
        .Only([], static (settings, parts) => settings with { Only = parts })
        .Repeats(static (settings, repeats) => settings with { Repeats = repeats })
        .Plain("name=value", static (settings, text) => text.Split('=', 2) is [{ Length: > 0 } name, var value]
            ? settings with { Values = new Dictionary<string, string>(settings.Values) { [name] = value } }
            : null);
}
