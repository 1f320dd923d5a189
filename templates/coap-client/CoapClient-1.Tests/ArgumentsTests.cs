namespace ProgramNamespace.Tests;

public sealed class ArgumentsTests
{
    [Fact]
    public void An_observation_may_have_a_number_of_states_and_a_timeout()
    {
        Assert.True(Arguments.TryParse(["observe", "coap://device/temperature", "--count", "3", "--timeout", "5"], out var arguments, out _));
        Assert.Equal(new Arguments(Observes: true, "coap://device/temperature", TimeSpan.FromSeconds(5), Count: 3), arguments);
    }

    [Theory]
    [InlineData("", "A command is missing")]
    [InlineData("put coap://device/temperature", "'put'")]
    [InlineData("get", "needs a URI")]
    [InlineData("get coap://device/temperature --timeout soon", "'soon'")]
    [InlineData("get coap://device/temperature --count 3", "--count is for observe only")]
    [InlineData("observe coap://device/temperature --count 0", "'0'")]
    [InlineData("observe coap://device/temperature --fast", "'--fast'")]
    public void An_error_names_the_argument(string line, string expected)
    {
        Assert.False(Arguments.TryParse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), out _, out var error));
        Assert.Contains(expected, error);
    }
}
