using System.Text.RegularExpressions;
using CoAP.Tests.Architecture;

namespace CoAP.Tool.Tests.Running;

public sealed partial class HelpTests
{
    public static TheoryData<string> Commands => [.. CoapTool.CommandNames];

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task The_help_of_each_command_has_examples(string name)
    {
        var run = await ToolRun.OfAsync(name, "--help");

        run.ExitCode.Should().Be(0);
        run.Output.Should().Contain("Usage:").And.Contain("Examples:").And.Contain($"coap {name} ");
        run.Error.Should().BeEmpty();
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task The_command_lines_of_the_examples_are_valid(string name)
    {
        var help = (await ToolRun.OfAsync(name, "--help")).Output;
        var examples = help[help.IndexOf("Examples:", StringComparison.Ordinal)..].Split('\n').Where(static line => line.Contains("coap ", StringComparison.Ordinal)).ToArray();

        examples.Should().NotBeEmpty();
        foreach (var line in examples) { CoapTool.ErrorsOf(CommandLineOf(line)).Should().BeEmpty($"of '{line.Trim()}'"); }
    }

    [Fact]
    public void The_command_lines_of_all_pages_are_valid()
    {
        string[] pages = [.. Directory.GetFiles(Path.Combine(SourceTree.Root, "docs"), "*.md"), Path.Combine(SourceTree.Root, "README.md")];
        var lines = pages.SelectMany(File.ReadLines).Where(static line => ShellLine().IsMatch(line)).ToArray();

        lines.Should().NotBeEmpty();
        foreach (var line in lines) { CoapTool.ErrorsOf(CommandLineOf(line)).Should().BeEmpty($"of '{line}'"); }
    }

    [Fact]
    public async Task The_help_names_all_commands_and_the_exit_codes()
    {
        var run = await ToolRun.OfAsync("--help");

        run.Output.Should().Contain("Exit codes: 0").And.ContainAll(CoapTool.CommandNames);
    }

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
