namespace CoAP.Tests.Architecture;

/// <summary>Generates the page that shows which sections of the RFCs have tests.</summary>
public sealed class RfcCoverageTests
{
    private const string Head = """
        # RFC coverage

        This page shows which sections and requirements of the RFCs have tests.
        It is generated from the traits of the tests, and from `RfcSections.txt` and `RfcRequirements.txt` in
        `tests/CoAP.NET.Tests/Architecture`. To update it, run `COAP_APPROVE=1 dotnet test tests/CoAP.NET.Tests --filter RfcCoverage`.
        """;

    private static readonly string[] UnitTests =
    [
        "tests/CoAP.NET.Core.Tests", "tests/CoAP.NET.Tests", "tests/CoAP.NET.AspNetCore.Tests", "tests/CoAP.NET.Dtls.Tests", "tests/CoAP.NET.Formats.Tests", "tests/CoAP.NET.Hosting.Tests", "tests/CoAP.NET.Testing.Tests",
        "tests/CoAP.NET.Tool.Tests",
    ];

    [Fact]
    public void The_page_is_generated_from_the_traits_of_the_tests()
    {
        var tests = UnitTests.SelectMany(Scan).ToList();
        var interop = Scan("tests/CoAP.NET.Interop.Tests").ToList();

        tests.Should().HaveCountGreaterThan(200);
        Approved.Check("docs/rfc-coverage.md", [.. Head.Split('\n').Select(line => line.TrimEnd('\r')), .. Page(tests, interop)]);
    }

    [Fact]
    public void Every_trait_names_a_section_that_exists()
    {
        var sections = RfcSections.All.Select(section => (section.Rfc, section.Number)).ToHashSet();

        UnitTests.Append("tests/CoAP.NET.Interop.Tests").SelectMany(Scan).Where(proof => !sections.Contains((proof.Rfc, proof.Section))).Should().BeEmpty();
    }

    [Fact]
    public void A_section_with_a_test_has_no_reason_for_having_none()
    {
        var proved = UnitTests.SelectMany(Scan).Select(proof => (proof.Rfc, proof.Section)).ToHashSet();

        RfcSections.All.Where(section => section.Reason is not null && proved.Contains((section.Rfc, section.Number))).Should().BeEmpty();
    }

    [Fact]
    public void Traits_are_found_on_classes_and_methods()
    {
        string[] source =
        [
            "[Trait(\"Category\", \"Loopback\"), Trait(\"RFC\", \"8323 5\")]", "public sealed class SomeTests", "{",
            "    [Fact, Trait(\"RFC\", \"7252 4.2\"), Trait(\"RFC\", \"7252 A\")]", "    public void One_rule()", "    [Fact]", "    public async Task Another_rule()",
        ];

        TraitScanner.Scan(source).Should().Equal(
            new Proof("7252", "4.2", "SomeTests", "One rule"), new Proof("7252", "A", "SomeTests", "One rule"),
            new Proof("8323", "5", "SomeTests", "One rule"), new Proof("8323", "5", "SomeTests", "Another rule"));
    }

    // The pages in the browser run the sample's JavaScript, which proves nothing about the library.
    private static IEnumerable<Proof> Scan(string project) => SourceTree.Files(project)
        .Where(file => !file.Contains("/Browser/", StringComparison.Ordinal))
        .SelectMany(file => TraitScanner.Scan(SourceTree.Lines(file)))
        .Distinct();

    private static IEnumerable<string> Page(List<Proof> tests, List<Proof> interop)
    {
        var proofs = tests.ToLookup(proof => (proof.Rfc, proof.Section));
        var untested = RfcSections.All.Where(section => section.HasRequirements && !proofs.Contains((section.Rfc, section.Number))).ToList();
        string[] missing = ["", "## Sections without a test", "", "These sections contain requirements, but no unit test refers to them.", ""];
        string[] foreign = ["", "## Tests with foreign programs", "", "These tests run against libcoap, against tshark, or in network namespaces.", ""];
        return [.. RequirementTables.Summary(), .. RequirementTables.NotKept(), .. missing, .. Untested(untested), .. Tested(proofs), .. foreign, .. Rows(interop.ToLookup(proof => (proof.Rfc, proof.Section)), RfcSections.All, withRfc: true)];
    }

    private static IEnumerable<string> Untested(List<RfcSection> sections)
    {
        yield return "| RFC | section | title |";
        yield return "|---|---|---|";
        foreach (var section in sections.Where(section => section.Reason is null)) { yield return $"| {section.Rfc} | {section.Number} | {section.Title} |"; }
        yield return "";
        yield return "These sections are not implemented:";
        yield return "";
        foreach (var reason in sections.Where(section => section.Reason is not null).GroupBy(section => (section.Rfc, section.Reason)))
        {
            yield return $"- RFC {reason.Key.Rfc} ({reason.Key.Reason}): {string.Join(", ", reason.Select(section => section.Number))}";
        }
    }

    private static IEnumerable<string> Tested(ILookup<(string, string), Proof> proofs)
    {
        foreach (var rfc in RfcSections.All.GroupBy(section => section.Rfc))
        {
            var rows = Rows(proofs, rfc, withRfc: false).ToList();
            if (rows.Count == 2) { continue; }
            yield return "";
            yield return $"## RFC {rfc.Key}: {RfcSections.Titles[rfc.Key]}";
            yield return "";
            foreach (var row in rows.Concat(RequirementTables.Of(rfc.Key))) { yield return row; }
        }
    }

    private static IEnumerable<string> Rows(ILookup<(string, string), Proof> proofs, IEnumerable<RfcSection> sections, bool withRfc)
    {
        yield return withRfc ? "| RFC | section | title | tests | an example |" : "| section | title | tests | an example |";
        yield return withRfc ? "|---|---|---|--:|---|" : "|---|---|--:|---|";
        foreach (var section in sections.Where(section => proofs.Contains((section.Rfc, section.Number))))
        {
            var proved = proofs[(section.Rfc, section.Number)].OrderBy(proof => Depth(proof)).ThenBy(proof => proof.Class, StringComparer.Ordinal).ToList();
            yield return $"| {(withRfc ? section.Rfc + " | " : "")}{section.Number} | {section.Title} | {proved.Count} | {proved[0].Rule} (`{proved[0].Class}`) |";
        }
    }

    // The class that is named after the section has the best example.
    private static int Depth(Proof proof) => proof.Class.Contains($"Section{proof.Section.Replace('.', '_')}", StringComparison.Ordinal) ? 0
        : proof.Class.Contains("Section", StringComparison.Ordinal) || proof.Class.Contains("Rfc", StringComparison.Ordinal) ? 1 : 2;
}
