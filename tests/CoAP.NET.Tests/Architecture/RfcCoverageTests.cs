namespace CoAP.Tests.Architecture;

/// <summary>Which clauses the tests prove, made of their traits.</summary>
public sealed class RfcCoverageTests
{
    private const string Head = """
        # RFC coverage

        What the tests prove, by RFC and section; each line is the name of a test. Made of the tests' traits:
        `COAP_APPROVE=1 dotnet test tests/CoAP.NET.Tests --filter Architecture` writes this page anew.
        """;

    [Fact]
    public void The_page_of_coverage_is_made_of_the_traits()
    {
        var proofs = SourceTree.Files("tests").SelectMany(file => TraitScanner.Scan(SourceTree.Lines(file))).ToList();

        proofs.Should().HaveCountGreaterThan(200);
        Approved.Check("docs/rfc-coverage.md", [.. Head.Split('\n').Select(line => line.TrimEnd('\r')), .. Page(proofs)]);
    }

    [Fact]
    public void Traits_are_found_wherever_they_stand()
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

    private static IEnumerable<string> Page(List<Proof> proofs)
    {
        foreach (var rfc in proofs.GroupBy(proof => proof.Rfc).OrderBy(group => int.Parse(group.Key, System.Globalization.CultureInfo.InvariantCulture)))
        {
            yield return "";
            yield return $"## RFC {rfc.Key}";
            foreach (var section in rfc.GroupBy(proof => proof.Section).OrderBy(group => SortKey(group.Key), StringComparer.Ordinal))
            {
                yield return "";
                yield return $"### {(char.IsLetter(section.Key[0]) ? "Appendix" : "Section")} {section.Key}";
                yield return "";
                foreach (var proof in section.Distinct().OrderBy(proof => proof.Class, StringComparer.Ordinal).ThenBy(proof => proof.Rule, StringComparer.Ordinal))
                {
                    yield return $"- {proof.Rule} (`{proof.Class}`)";
                }
            }
        }
    }

    // 4.10 follows 4.9, and appendices follow all sections.
    private static string SortKey(string section) => string.Join('.', section.Split('.').Select(part => part.PadLeft(4, '0'))).Replace("000A", "A", StringComparison.Ordinal);
}
