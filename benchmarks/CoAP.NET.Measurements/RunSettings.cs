using System.Diagnostics.CodeAnalysis;
using System.Globalization;

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

    /// <summary>Every size and repeat, however long it takes; otherwise what fits into a minute.</summary>
    public bool IsFull { get; private init; }

    /// <summary>Few points, in a minute at most.</summary>
    public bool IsQuick { get; private init; }

    /// <summary>Each thing once and the smallest only, to see that all of it runs.</summary>
    public bool IsDry { get; private init; }

    /// <summary>The folder of the CSV files and pictures.</summary>
    public string Output { get; private init; } = "measurements";

    /// <summary>The parts that are measured; all where there is none.</summary>
    public IReadOnlyList<string> Only { get; private init; } = [];

    /// <summary>The repeats, instead of what the form says.</summary>
    public int? Repeats { get; private init; }

    /// <summary>What was given as "name=value", above all to a process that this program starts as a server.</summary>
    public IReadOnlyDictionary<string, string> Values { get; private init; } = new Dictionary<string, string>();

    /// <summary>What a table says of how it was made.</summary>
    public string Form => (IsFull ? "--full" : IsDry ? "--dry" : IsQuick ? "--quick" : "usual form") + (Repeats is { } repeats ? $" --repeats {repeats}" : "");

    public bool Wants(string part) => Only.Count == 0 || Only.Contains(part);

    public static bool TryParse(string[] args, [NotNullWhen(true)] out RunSettings? settings, [NotNullWhen(false)] out string? error)
    {
        settings = null;
        error = args.Length == 0 ? "A command is missing." : null;
        if (error is not null) { return false; }
        settings = new RunSettings(args[0]);
        var values = new Dictionary<string, string>();
        for (var at = 1; at < args.Length && error is null; at++)
        {
            var next = at + 1 < args.Length ? args[at + 1] : "";
            if (args[at] is "--dry" or "--quick" or "--full")
            {
                settings = settings with { IsFull = args[at] == "--full", IsQuick = args[at] == "--quick", IsDry = args[at] == "--dry" };
            }
            else if (args[at].Split('=', 2) is [var name, var value] && !name.StartsWith('-')) { values[name] = value; }
            else if (!settings.TryTake(args[at], next, out settings)) { error = $"'{args[at]} {next}' is not understood."; }
            else { at++; }
        }
        settings = settings with { Values = values };
        return error is null;
    }

    private bool TryTake(string option, string value, out RunSettings settings)
    {
        var isCount = int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count > 0;
        settings = option switch
        {
            "--output" when value.Length > 0 => this with { Output = value },
            "--only" when value.Length > 0 => this with { Only = value.Split(',') },
            "--repeats" when isCount => this with { Repeats = count },
            _ => this,
        };
        return settings != this;
    }
}
