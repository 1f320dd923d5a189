using System.CommandLine;
using System.Text.RegularExpressions;
using CoAP.Tests.Architecture;
using CoAP.Tool.Running;

namespace CoAP.Tool.Tests.Running;

public sealed partial class HelpTests
{
    public static TheoryData<string> Commands => [.. PathsOf(Root, "")];

    private static RootCommand Root => CoapTool.CreateRoot(Terminal.OfProcess());

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task The_help_of_each_command_has_examples(string name)
    {
        var run = await ToolRun.OfAsync([.. name.Split(' '), "--help"]);

        run.ExitCode.Should().Be(0);
        run.Output.Should().Contain("Usage:").And.Contain("Examples:").And.Contain($"coap {name} ");
        run.Error.Should().BeEmpty();
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task The_command_lines_of_the_examples_are_valid(string name)
    {
        var help = (await ToolRun.OfAsync([.. name.Split(' '), "--help"])).Output;
        var examples = help[help.IndexOf("Examples:", StringComparison.Ordinal)..].Split('\n').Where(static line => line.Contains("coap ", StringComparison.Ordinal)).ToArray();

        examples.Should().NotBeEmpty();
        foreach (var line in examples) { ErrorsOf(CommandLineOf(line)).Should().BeEmpty($"of '{line.Trim()}'"); }
    }

    [Fact]
    public void The_command_lines_of_all_pages_are_valid()
    {
        string[] pages = [.. Directory.GetFiles(Path.Combine(SourceTree.Root, "docs"), "*.md"), .. new[] { "README.md", "src/CoAP.NET.Tool/README.md", "templates/README.md" }.Select(static page => Path.Combine(SourceTree.Root, page))];
        var lines = pages.SelectMany(File.ReadLines).Where(static line => ShellLine().IsMatch(line)).ToArray();

        lines.Should().NotBeEmpty();
        foreach (var line in lines) { ErrorsOf(CommandLineOf(line)).Should().BeEmpty($"of '{line}'"); }
    }

    [Fact]
    public async Task The_help_names_all_commands_and_the_exit_codes()
    {
        var run = await ToolRun.OfAsync("--help");

        run.Output.Should().Contain("Exit codes: 0").And.ContainAll(Root.Subcommands.Select(static command => command.Name));
    }

    private static IEnumerable<string> PathsOf(Command parent, string path) =>
        parent.Subcommands.SelectMany(one => PathsOf(one, $"{path} {one.Name}".Trim()).Prepend($"{path} {one.Name}".Trim()));

    private static IEnumerable<string> ErrorsOf(string line) => Root.Parse(line, CoapTool.Parsing).Errors.Select(static error => error.Message);

    // What a shell would hand to the tool: without pipes, redirections and remarks.
    private static string CommandLineOf(string line)
    {
        var start = line.IndexOf("coap ", StringComparison.Ordinal) + "coap ".Length;
        var command = Remark().Replace(line[start..], "");
        return command.Replace("'{\"on\":true}'", "x", StringComparison.Ordinal).Trim();
    }

    [GeneratedRegex(@"^(\$ )?coap [a-z]")]
    private static partial Regex ShellLine();

    [GeneratedRegex(@"\s(\||>>?|#|2>|&).*$")]
    private static partial Regex Remark();
}
