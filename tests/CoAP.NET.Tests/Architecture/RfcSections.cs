namespace CoAP.Tests.Architecture;

/// <summary>A section of an RFC.</summary>
/// <param name="Rfc">The number of the RFC.</param>
/// <param name="Number">The number of the section. Appendices have letters.</param>
/// <param name="Title">The title of the section.</param>
/// <param name="HasRequirements">Whether the section holds requirements.</param>
/// <param name="Reason">The reason why no test proves the section; <see langword="null"/> if there is none.</param>
internal sealed record RfcSection(string Rfc, string Number, string Title, bool HasRequirements, string? Reason);

/// <summary>The sections of the RFCs that this library implements, read from RfcSections.txt.</summary>
internal static class RfcSections
{
    public static IReadOnlyList<RfcSection> All { get; } = [.. Content().Where(line => line.Length > 0 && line[0] != '#').Select(Parse)];

    /// <summary>The titles of the RFCs by number.</summary>
    public static IReadOnlyDictionary<string, string> Titles { get; } = Content()
        .Where(line => line.StartsWith("# RFC ", StringComparison.Ordinal))
        .Select(line => line["# RFC ".Length..].Split(": ", 2))
        .ToDictionary(parts => parts[0], parts => parts[1]);

    private static string[] Content() => SourceTree.Lines("tests/CoAP.NET.Tests/Architecture/RfcSections.txt");

    private static RfcSection Parse(string line)
    {
        var halves = line.Split('|', 2);
        var parts = halves[0].Split(' ', 4);
        return new(parts[0], parts[1], parts[3].Trim(), parts[2] == "+", halves.Length > 1 ? halves[1].Trim() : null);
    }
}
