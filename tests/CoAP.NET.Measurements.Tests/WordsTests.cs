using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Tests;

public class WordsTests
{
    private static Words<Settings> Words => new Words<Settings>()
        .Form(static (all, form) => all with { Form = form })
        .Output(static (all, folder) => all with { Output = folder })
        .Seed(static (all, seed) => all with { Seed = seed })
        .Only(["a", "b"], static (all, parts) => all with { Only = string.Join('+', parts) })
        .Repeats(static (all, repeats) => all with { Repeats = repeats })
        .Number("--seconds", 0.5, 1_000, static (all, number) => all with { Seconds = number })
        .Counts("--sockets", 1, 60_000, static (all, counts) => all with { Sockets = string.Join('+', counts) })
        .OneOf("--method", ["get", "put"], static (all, name) => all with { Method = name });

    [Theory]
    [InlineData("--speed 3", "'--speed' is not known; allowed are --dry, --full, --method, --only, --output, --quick, --repeats, --seconds, --seed, --sockets.")]
    [InlineData("quick", "'quick' is not known; allowed are --dry, *")]
    [InlineData("--output", "--output has no value; allowed is a folder.")]
    [InlineData("--output --quick", "--output has no value; allowed is a folder.")]
    [InlineData("--repeats 0", "--repeats is '0'; allowed is a whole number from 1 to 1,000,000.")]
    [InlineData("--repeats 2.5", "--repeats is '2.5'; allowed is a whole number from 1 to 1,000,000.")]
    [InlineData("--seed x", "--seed is 'x'; allowed is a whole number from -2,147,483,648 to 2,147,483,647.")]
    [InlineData("--only a,c", "--only is 'a,c'; allowed is a, b, with commas between them.")]
    [InlineData("--seconds 0.4", "--seconds is '0.4'; allowed is a number from 0.5 to 1,000.")]
    [InlineData("--seconds NaN", "--seconds is 'NaN'; allowed is a number from 0.5 to 1,000.")]
    [InlineData("--sockets 16,,64", "--sockets is '16,,64'; allowed is whole numbers from 1 to 60,000 with commas between them.")]
    [InlineData("--method post", "--method is 'post'; allowed is get or put.")]
    public void An_error_says_what_is_wrong_and_what_is_allowed(string line, string expected)
    {
        var isRead = Words.TryRead(line.Split(' '), new Settings(), out var settings, out var error);

        isRead.Should().BeFalse();
        settings.Should().BeNull();
        error.Should().Match(expected);
    }

    [Fact]
    public void Each_word_changes_its_own_setting()
    {
        const string Line = "--full --output there --seed -5 --only b,a --repeats 7 --seconds 1.5 --sockets 16,1000 --method put";

        Words.TryRead(Line.Split(' '), new Settings(), out var settings, out var error);

        error.Should().BeNull();
        settings.Should().Be(new Settings(RunForm.Full, "there", -5, "b+a", 7, 1.5, "16+1000", "put"));
    }

    [Fact]
    public void What_is_not_said_stays_as_it_was()
    {
        var start = new Settings(RunForm.Dry, Output: "here", Seed: 3);

        Words.TryRead([], start, out var settings, out _);

        settings.Should().Be(start);
    }

    [Fact]
    public void A_plain_word_is_read_only_where_there_may_be_one()
    {
        var words = Words.Plain("even", static (all, text) => text == "even" ? all with { Output = text } : null);

        words.TryRead(["--dry", "even"], new Settings(), out var settings, out _).Should().BeTrue();
        words.TryRead(["odd"], new Settings(), out _, out var error).Should().BeFalse();

        settings.Should().Be(new Settings(RunForm.Dry, Output: "even"));
        error.Should().Be("'odd' is not allowed; allowed is even.");
    }

    private sealed record Settings(
        RunForm Form = RunForm.Usual, string Output = "", int Seed = 0, string Only = "", int Repeats = 0, double Seconds = 0, string Sockets = "", string Method = "");
}
