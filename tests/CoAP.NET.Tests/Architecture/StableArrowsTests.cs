using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace CoAP.Tests.Architecture;

/// <summary>The arrows that stay as they are and those that may change before 1.0, as docs/your-own-block.md tells them.</summary>
public sealed class StableArrowsTests
{
    private static readonly PropertyInfo[] Arrows = typeof(MeshArrow).GetProperties(BindingFlags.Static | BindingFlags.Public);

    [Theory]
    [InlineData("## Stable arrows", false)]
    [InlineData("## Experimental arrows", true)]
    public void The_page_lists_the_arrows(string heading, bool isExperimental) =>
        Listed(heading).Should().BeEquivalentTo(Arrows.Where(arrow => arrow.IsDefined(typeof(ExperimentalAttribute)) == isExperimental).Select(arrow => arrow.Name));

    [Theory]
    [InlineData(Experiment.Arrow)]
    [InlineData(Experiment.Setting)]
    public void The_page_of_diagnostics_explains_each_experiment(string id) => SourceTree.Lines("docs/analyzers.md").Should().Contain($"## {id}");

    [Fact]
    public void Each_experiment_has_its_diagnostic_and_says_what_may_happen()
    {
        var marks = new[] { typeof(CoapMessage), typeof(CoapClient), typeof(DtlsSettings) }.SelectMany(type => type.Assembly.GetExportedTypes())
            .SelectMany(type => type.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly).Append(type))
            .Select(member => (member, Mark: member.GetCustomAttribute<ExperimentalAttribute>())).Where(one => one.Mark is not null).ToList();

        marks.Should().HaveCountGreaterThan(100);
        marks.Should().OnlyContain(one => one.member.DeclaringType == typeof(MeshArrow)
            ? one.Mark!.DiagnosticId == Experiment.Arrow && one.Mark.Message == Experiment.ArrowMessage
            : one.Mark!.DiagnosticId == Experiment.Setting && one.Mark.Message == Experiment.SettingMessage);
    }

    private static IEnumerable<string> Listed(string heading) => SourceTree.Lines("docs/your-own-block.md").SkipWhile(line => line != heading).Skip(1)
        .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal)).Where(line => line.StartsWith("| `", StringComparison.Ordinal)).Select(line => line.Split('`')[1]);
}
