using System.Text.RegularExpressions;

namespace CoAP.Tests.Architecture;

/// <summary>No MUST of the RFCs in RfcRequirements.txt is without a test or a reason.</summary>
public sealed partial class RfcRequirementsTests
{
    private const int LongestText = 120;

    [Fact]
    public void Every_requirement_names_tests_that_exist_or_a_reason()
    {
        var tests = SourceTree.Files("tests").SelectMany(file => Tests(SourceTree.Lines(file))).ToHashSet();

        tests.Should().HaveCountGreaterThan(1000);
        RfcRequirements.Musts.Should().HaveCountGreaterThan(30);
        RfcRequirements.Musts.SelectMany(must => must.Tests, (must, test) => (must.Rfc, must.Section, must.Letter, test))
            .Where(named => !tests.Contains(named.test)).Should().BeEmpty("each requirement has tests, or one of: " + string.Join(", ", RfcRequirement.Reasons));
    }

    [Fact]
    public void Every_requirement_has_a_key_of_its_own_a_section_that_exists_and_a_short_text()
    {
        var sections = RfcSections.All.Select(section => (section.Rfc, section.Number)).ToHashSet();
        foreach (var part in new[] { RfcRequirements.Musts, RfcRequirements.NotKept })
        {
            part.GroupBy(one => (one.Rfc, one.Section, one.Letter)).Where(same => same.Count() > 1).Select(same => same.Key).Should().BeEmpty();
            part.Where(one => !sections.Contains((one.Rfc, one.Section))).Should().BeEmpty();
            part.Where(one => one.Text.Length is 0 or > LongestText).Should().BeEmpty($"a text has at most {LongestText} characters");
        }
    }

    [Fact]
    public void Requirements_that_are_not_kept_have_a_reason()
    {
        var explained = RfcRequirements.NotKept.Select(one => (one.Rfc, one.Section)).ToHashSet();

        RfcRequirements.Musts.Where(must => must.Proof == RfcRequirement.Broken && !explained.Contains((must.Rfc, must.Section))).Should().BeEmpty();
        RfcRequirements.NotKept.Where(one => one.Proof.Length < 20).Should().BeEmpty("each has a reason");
    }

    [Fact]
    public void A_requirement_from_memory_counts_as_unproven_with_or_without_tests()
    {
        RfcRequirement[] musts =
        [
            new("1", "2", "a", "read", "SomeTests.One_rule"), new("1", "2", "b", "recalled (from memory)", "SomeTests.One_rule"),
            new("1", "2", "c", "recalled too (from memory)", "no code: people"), new("1", "2", "d", "done elsewhere", "no code: OpenSSL"),
            new("1", "2", "e", "left out", "not implemented: proxies"), new("1", "2", "f", "broken", RfcRequirement.Broken),
        ];

        RequirementTables.Figures("1", musts).Should().Be("| 1 | 6 | 1 | 2 | 1 | 1 | 1 |");
    }

    [Fact]
    public void Tests_are_found_by_class_and_method()
    {
        string[] source =
        [
            "public sealed class SomeTests", "    [Theory, Trait(\"RFC\", \"7252 4.2\")]", "    [InlineData(1)]", "    public void One_rule(int x) { }",
            "    public void Dispose()", "public sealed class OtherTests", "    [SkippableFact]", "    public async Task Another_rule()",
        ];

        Tests(source).Should().Equal("SomeTests.One_rule", "OtherTests.Another_rule");
    }

    private static IEnumerable<string> Tests(IEnumerable<string> lines)
    {
        var (name, isTest) = ("", false);
        foreach (var line in lines)
        {
            isTest |= Attribute().IsMatch(line);
            if (TraitScanner.Class().Match(line) is { Success: true } declared) { name = declared.Groups["name"].Value; }
            if (TraitScanner.Method().Match(line) is not { Success: true } method) { continue; }
            if (isTest) { yield return $"{name}.{method.Groups["name"].Value}"; }
            isTest = false;
        }
    }

    [GeneratedRegex(@"^\s*\[\w*(Fact|Theory)\b")]
    private static partial Regex Attribute();
}
