using System.Globalization;
using System.Text.RegularExpressions;
using CoAP.Analyzers.Inline;
using CoAP.Tests.Architecture;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace CoAP.Analyzers.Tests;

/// <summary>What users see of the rules.</summary>
public sealed partial class RulesTests
{
    public static TheoryData<string> Analyzers() => [.. All.Keys];

    private static Dictionary<string, DiagnosticAnalyzer> All { get; } = new DiagnosticAnalyzer[] { new BlockingCallAnalyzer(), new DroppedCallAnalyzer() }
        .ToDictionary(analyzer => analyzer.GetType().Name);

    [Theory]
    [MemberData(nameof(Analyzers))]
    public void A_rule_is_a_warning_with_a_section_of_the_page(string analyzer)
    {
        foreach (var rule in All[analyzer].SupportedDiagnostics)
        {
            (rule.DefaultSeverity, rule.IsEnabledByDefault).Should().Be((DiagnosticSeverity.Warning, true));
            rule.HelpLinkUri.Should().EndWith($"docs/analyzers.md#{rule.Id.ToLowerInvariant()}");
            SourceTree.Lines("docs/analyzers.md").Should().Contain($"## {rule.Id}");
        }
    }

    [Fact]
    public void The_analyzers_know_all_libraries() => LibraryTypes.Assemblies.Should().BeEquivalentTo(
        Directory.GetDirectories(Path.Combine(SourceTree.Root, "src")).Select(static folder => Path.GetFileName(folder))
            .Where(static name => name is not ("CoAP.NET.Tool" or "CoAP.NET.Analyzers") && !name.EndsWith(".Generator", StringComparison.Ordinal)));

    [Theory]
    [InlineData("src/CoAP.NET.Formats.Generator", 12)]
    [InlineData("src/CoAP.NET.Hosting.Generator", 11)]
    public void The_page_lists_the_errors_of_a_generator(string generator, int count)
    {
        var ids = SourceTree.Lines($"{generator}/Results/Rules.cs").Select(line => Number().Match(line)).Where(match => match.Success)
            .Select(match => $"COAP{int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture):000}").ToArray();

        ids.Should().HaveCount(count);
        var page = SourceTree.Lines("docs/analyzers.md");
        ids.Should().OnlyContain(id => page.Any(line => line.StartsWith($"| {id} | ", StringComparison.Ordinal)));
    }

    [GeneratedRegex(@"= Create\((\d+), ")]
    private static partial Regex Number();
}
