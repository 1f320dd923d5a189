using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace ProgramNamespace;

/// <summary>The parsed command line.</summary>
/// <param name="Observes">Whether the resource is observed. Otherwise, it is read once.</param>
/// <param name="Uri">The resource.</param>
/// <param name="Timeout">How long to wait for a response.</param>
/// <param name="Count">The number of states after which an observation ends, or <see langword="null"/> if it does not end by itself.</param>
public sealed record Arguments(bool Observes, string Uri, TimeSpan Timeout, int? Count)
{
    /// <summary>The help text.</summary>
    public const string Usage = """
        Usage: CoapClient-1 get URI [--timeout SECONDS]
               CoapClient-1 observe URI [--count NUMBER] [--timeout SECONDS]

        get reads a resource once. observe prints each new state until you press Ctrl+C.

          --timeout SECONDS   how long to wait for the response (default: 10)
          --count NUMBER      ends the observation after this number of states
          -h, --help          shows this text

        Exit codes: 0 success, 1 the server answered with an error, 2 no response or wrong arguments.

        Example:
          CoapClient-1 observe coap://localhost/sensors/1 --count 3
        """;

    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Reads the command line. If it is wrong, <paramref name="error"/> says why.</summary>
    public static bool TryParse(string[] args, [NotNullWhen(true)] out Arguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        error = args switch
        {
            [] => "A command is missing: get or observe.",
            [not ("get" or "observe"), ..] => $"Unknown command '{args[0]}'. Use get or observe.",
            [_] => $"The command {args[0]} needs a URI, such as coap://localhost/sensors/1.",
            _ => null,
        };
        var timeout = DefaultTimeout;
        int? count = null;
        for (var at = 2; at < args.Length && error is null; at += 2)
        {
            var value = at + 1 < args.Length ? args[at + 1] : "";
            error = args[at] switch
            {
                "--timeout" => TrySeconds(value, out timeout) ? null : $"--timeout takes a number of seconds from 1 to 3600, not '{value}'.",
                "--count" when args[0] == "get" => "--count is for observe only.",
                "--count" => TryCount(value, out count) ? null : $"--count takes a number from 1 on, not '{value}'.",
                _ => $"Unknown argument '{args[at]}'.",
            };
        }
        if (error is not null) { return false; }
        arguments = new Arguments(args[0] == "observe", args[1], timeout, count);
        return true;
    }

    private static bool TrySeconds(string text, out TimeSpan time)
    {
        var isNumber = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds) && seconds is >= 1 and <= 3600;
        time = TimeSpan.FromSeconds(seconds);
        return isNumber;
    }

    private static bool TryCount(string text, out int? count)
    {
        count = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= 1 ? number : null;
        return count is not null;
    }
}
