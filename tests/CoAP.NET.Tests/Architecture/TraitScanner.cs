using System.Text.RegularExpressions;

namespace CoAP.Tests.Architecture;

/// <summary>A test that proves a clause.</summary>
internal sealed record Proof(string Rfc, string Section, string Class, string Rule);

/// <summary>Finds the traits in the sources of the tests, so that every test project counts without being loaded.</summary>
internal static partial class TraitScanner
{
    public static IEnumerable<Proof> Scan(IEnumerable<string> lines)
    {
        var (name, ofClass, pending) = ("", new List<(string, string)>(), new List<(string, string)>());
        foreach (var line in lines)
        {
            pending.AddRange(Trait().Matches(line).Select(match => (match.Groups["rfc"].Value, match.Groups["section"].Value)));
            if (Class().Match(line) is { Success: true } declared)
            {
                (name, ofClass, pending) = (declared.Groups["name"].Value, pending, []);
            }
            else if (Method().Match(line) is { Success: true } method)
            {
                var rule = method.Groups["name"].Value.Replace('_', ' ');
                foreach (var (rfc, section) in pending.Concat(ofClass)) { yield return new(rfc, section, name, rule); }
                pending = [];
            }
        }
    }

    [GeneratedRegex("""Trait\("RFC", "(?<rfc>\d+) (?<section>[^"]+)"\)""")]
    private static partial Regex Trait();

    [GeneratedRegex(@"^\s*public (sealed |abstract |partial |static )*class (?<name>\w+)")]
    public static partial Regex Class();

    [GeneratedRegex(@"^\s*public (async )?(void|Task|ValueTask) (?<name>\w+)\(")]
    public static partial Regex Method();
}
