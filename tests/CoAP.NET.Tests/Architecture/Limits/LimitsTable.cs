namespace CoAP.Tests.Architecture.Limits;

/// <summary>The tables of docs/limits.md by section. The page has a marker for each section.</summary>
internal static class LimitsTable
{
    public const string Page = "docs/limits.md";

    private const string End = "<!-- /limits -->";

    public static IReadOnlyDictionary<string, IReadOnlyList<Limit>> Sections { get; } = new Dictionary<string, IReadOnlyList<Limit>>
    {
        ["requests"] = RequestLimits.All,
        ["connections"] = ConnectionLimits.All,
        ["dtls"] = DtlsLimits.All,
        ["messages"] = MessageLimits.All,
        ["bodies"] = MessageLimits.Bodies,
        ["observers"] = ObserverLimits.All,
        ["unverified"] = ObserverLimits.UnverifiedAddresses,
        ["groups"] = ObserverLimits.Groups,
        ["client-calls"] = ClientLimits.Calls,
        ["client-bodies"] = ClientLimits.Bodies,
    };

    public static IEnumerable<Limit> All => Sections.Values.SelectMany(static rows => rows);

    public static string MarkerOf(string section) => $"<!-- limits:{section} -->";

    /// <summary>Returns the page with new tables. The prose stays as it is.</summary>
    public static IEnumerable<string> Render(IReadOnlyList<string> page)
    {
        var isInTable = false;
        foreach (var line in page)
        {
            if (line == End) { isInTable = false; }
            if (!isInTable) { yield return line; }
            if (Sections.Keys.FirstOrDefault(section => line == MarkerOf(section)) is not { } section) { continue; }
            isInTable = true;
            foreach (var row in TableOf(Sections[section])) { yield return row; }
        }
    }

    // Markdown needs the empty lines between a comment and a table.
    private static IEnumerable<string> TableOf(IReadOnlyList<Limit> limits) =>
    [
        "", "| limit | default | what it bounds, and why | at the limit | counted as |", "| --- | --- | --- | --- | --- |",
        .. limits.Select(static limit => limit.Row), "",
    ];
}
