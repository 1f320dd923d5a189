namespace CoAP.Benchmarks.Reporting.Tests;

public sealed class CommandsTests
{
    [Theory]
    [InlineData("", 2)]
    [InlineData("nothing", 2)]
    [InlineData("good bad", 2)]
    [InlineData("good", 0)]
    [InlineData("good,failing", 1)]
    [InlineData("failing,good", 1)]
    [InlineData("all", 1)]
    public async Task A_failed_measurement_and_a_wrong_command_line_fail_the_program(string line, int expected)
    {
        var commands = new Commands { All = ["good", "failing"], Usage = "usage" };
        commands["good"] = static arguments => End(arguments, 0);
        commands["failing"] = static arguments => End(arguments, 1);

        var exitCode = await commands.RunAsync(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        exitCode.Should().Be(expected);
    }

    private static Task<int> End(Arguments arguments, int exitCode)
    {
        arguments.End();
        return Task.FromResult(exitCode);
    }
}
