using CoAP.Reporting;

namespace CoAP.Load.Tests;

public class ArgumentsTests
{
    [Theory]
    [InlineData("--speed 3", "'--speed' is not known here, or given twice; allowed are --dry, --full, --method, --only, --output, --quick, --repeats, --seconds, --seed, --sockets.")]
    [InlineData("quick", "'quick' is not known here, *")]
    [InlineData("--dry --dry", "'--dry' is not known here, or given twice; *")]
    [InlineData("--output", "--output has no value; allowed is a folder.")]
    [InlineData("--output --quick", "--output has no value; allowed is a folder.")]
    [InlineData("--repeats 0", "--repeats is '0'; allowed is a whole number from 1 to 1,000,000.")]
    [InlineData("--repeats 2.5", "--repeats is '2.5'; allowed is a whole number from 1 to 1,000,000.")]
    [InlineData("--only a,c", "--only is 'a,c'; allowed is a, b, with commas between them.")]
    [InlineData("--seconds 0.4", "--seconds is '0.4'; allowed is a number from 0.5 to 1,000,000.")]
    [InlineData("--seconds NaN", "--seconds is 'NaN'; allowed is a number from 0.5 to 1,000,000.")]
    [InlineData("--sockets 16,,64", "--sockets is '16,,64'; allowed is whole numbers from 1 to 60,000 with commas between them.")]
    [InlineData("--method post", "--method is 'post'; allowed is get or put.")]
    public void An_error_names_the_word_and_what_is_allowed(string line, string expected)
    {
        var act = () => Read(line);

        act.Should().Throw<UsageException>().WithMessage(expected);
    }

    [Fact]
    public void Each_method_takes_its_own_words()
    {
        var (settings, seconds, sockets, method) = Read("--full --output there --seed 5 --only b,a --repeats 7 --seconds 1.5 --sockets 16,1000 --method put");

        (settings.Form, settings.Output, settings.Seed, settings.Repeats, settings.Description).Should().Be((RunForm.Full, "there", 5, 7, "--full --repeats 7"));
        (settings.Wants("a"), settings.Wants("c"), seconds, method).Should().Be((true, false, TimeSpan.FromSeconds(1.5), "put"));
        sockets.Should().Equal(16, 1_000);
    }

    [Fact]
    public void Without_options_everything_is_wanted_in_the_usual_form()
    {
        var (settings, seconds, sockets, method) = Read("");

        (settings.Form, settings.Repeats, settings.Description, settings.Wants("b")).Should().Be((RunForm.Usual, null, "usual form", true));
        (seconds, sockets, method).Should().Be((null, null, null));
    }

    [Fact]
    public void Plain_words_come_in_their_order()
    {
        var arguments = new Arguments(["one", "--dry", "two"]);

        (arguments.Plain(), arguments.Flag("--dry"), arguments.Plain(), arguments.Plain()).Should().Be(("one", true, "two", null));
    }

    [Theory]
    [InlineData("", 2)]
    [InlineData("nothing", 2)]
    [InlineData("good bad", 2)]
    [InlineData("good", 0)]
    [InlineData("good,failing", 1)]
    [InlineData("all", 1)]
    public async Task The_exit_code_tells_wrong_words_from_failures(string line, int expected)
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

    private static (RunSettings Settings, TimeSpan? Seconds, IReadOnlyList<int>? Sockets, string? Method) Read(string line)
    {
        var arguments = new Arguments(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        var all = (RunSettings.Read("command", arguments, "a", "b"), arguments.Seconds("--seconds", 0.5), arguments.Counts("--sockets", 1, 60_000), arguments.OneOf("--method", "get", "put"));
        arguments.End();
        return all;
    }
}
