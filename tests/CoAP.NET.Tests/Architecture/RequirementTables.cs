namespace CoAP.Tests.Architecture;

/// <summary>The parts of docs/rfc-coverage.md that say which requirements have tests.</summary>
internal static class RequirementTables
{
    /// <summary>How many requirements each RFC has.</summary>
    public static IEnumerable<string> Summary()
    {
        string[] head =
        [
            "", "## Requirements", "", $"`{RfcRequirements.File}` lists each MUST, MUST NOT, SHALL and REQUIRED of these RFCs,",
            "with the tests that fail if the library breaks it, or with the reason why there is no test.",
            "Requirements that were written down without the text of the RFC at hand count only as \"from memory\".", "",
            "| RFC | requirements | with tests | from memory | not implemented | not code of the library | not kept |", "|---|--:|--:|--:|--:|--:|--:|",
        ];
        return [.. head, .. RfcRequirements.Musts.GroupBy(must => must.Rfc).Select(rfc => Figures(rfc.Key, [.. rfc]))];
    }

    /// <summary>The row of an RFC in the summary. Each requirement counts in one column.</summary>
    public static string Figures(string rfc, IReadOnlyList<RfcRequirement> musts)
    {
        var read = musts.Where(must => !must.IsFromMemory).ToList();
        return $"| {rfc} | {musts.Count} | {read.Count(must => !must.HasReason)} | {musts.Count - read.Count} "
            + $"| {Count(read, "not implemented")} | {Count(read, "no code")} | {Count(read, RfcRequirement.Broken)} |";
    }

    /// <summary>The recommendations that the library does not follow.</summary>
    public static IEnumerable<string> NotKept()
    {
        string[] head = ["", "## SHOULDs that are not kept", "", "The table also contains the requirements that are not kept, marked as (a MUST).", "", "| RFC | section | recommendation | reason |", "|---|---|---|---|"];
        return [.. head, .. RfcRequirements.NotKept.Select(should => $"| {should.Rfc} | {should.Section} | {should.Text} | {should.Proof} |")];
    }

    /// <summary>The requirements of an RFC with their tests.</summary>
    public static IEnumerable<string> Of(string rfc)
    {
        var musts = RfcRequirements.Musts.Where(must => must.Rfc == rfc).ToList();
        if (musts.Count == 0) { return []; }
        string[] head = ["", $"### Requirements of RFC {rfc}", "", "| section | requirement | tests |", "|---|---|---|"];
        return [.. head, .. musts.Select(must => $"| {must.Section} {must.Letter} | {must.Text} | {(must.HasReason ? must.Proof : Named(must))} |")];
    }

    private static string Named(RfcRequirement must) => string.Join("; ", must.Tests.Select(test => test.Split('.'))
        .Select(parts => $"{parts[1].Replace('_', ' ')} (`{parts[0]}`)"));

    private static int Count(IEnumerable<RfcRequirement> musts, string kind) =>
        musts.Count(must => must.HasReason && must.Proof.StartsWith(kind, StringComparison.Ordinal));
}
