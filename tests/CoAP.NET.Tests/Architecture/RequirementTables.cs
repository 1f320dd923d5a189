namespace CoAP.Tests.Architecture;

/// <summary>The parts of docs/rfc-coverage.md that say which requirements have tests.</summary>
internal static class RequirementTables
{
    /// <summary>How many requirements each RFC has.</summary>
    public static IEnumerable<string> Summary()
    {
        string[] head =
        [
            "", "## Requirements", "", "Everything that these RFCs call MUST, MUST NOT, SHALL or REQUIRED is in",
            $"`{RfcRequirements.File}`,", "with the tests that fail if it is broken, or with the reason why there is none.", "",
            "| RFC | requirements | with tests | not implemented | not about code | not kept |", "|---|--:|--:|--:|--:|--:|",
        ];
        return [.. head, .. RfcRequirements.Musts.GroupBy(must => must.Rfc).Select(rfc =>
            $"| {rfc.Key} | {rfc.Count()} | {rfc.Count(must => !must.HasReason)} | {Count(rfc, "not implemented")} | {Count(rfc, "no code")} | {Count(rfc, RfcRequirement.Broken)} |")];
    }

    /// <summary>The recommendations that the library does not follow.</summary>
    public static IEnumerable<string> NotKept()
    {
        string[] head = ["", "## SHOULDs that are not kept", "", "The list also has each MUST that is not kept, and says so.", "", "| RFC | section | recommendation | reason |", "|---|---|---|---|"];
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
