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
            "with the tests that fail if the library breaks it, or with the reason why there is no test.", "",
            "| RFC | requirements | with tests | not implemented | not about code | not kept |", "|---|--:|--:|--:|--:|--:|",
        ];
        return [.. head, .. RfcRequirements.Musts.GroupBy(must => must.Rfc).Select(rfc =>
            $"| {rfc.Key} | {rfc.Count()} | {rfc.Count(must => !must.HasReason)} | {Count(rfc, "not implemented")} | {Count(rfc, "no code")} | {Count(rfc, RfcRequirement.Broken)} |")];
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
