namespace CoAP.Tool.Tests.Running;

public sealed class CompletionTests
{
    [Theory]
    [InlineData("coap obs", "observe")]
    [InlineData("coap get --acc", "--accept")]
    [InlineData("coap get localhost --accept senml", "senml+json")]
    [InlineData("coap put localhost --format cb", "cbor")]
    [InlineData("coap get localhost --option If", "If-None-Match")]
    [InlineData("coap completion ", "bash")]
    public async Task Commands_arguments_and_values_are_completed(string line, string expected)
    {
        var run = await ToolRun.OfAsync($"[suggest:{line.Length}]", line);

        run.Output.Split('\n', StringSplitOptions.TrimEntries).Should().Contain(expected);
    }

    [Theory]
    [InlineData("bash", "complete -o default -F _coap coap")]
    [InlineData("zsh", "compdef _coap coap")]
    [InlineData("pwsh", "Register-ArgumentCompleter")]
    public async Task Each_shell_gets_its_script(string shell, string expected)
    {
        var run = await ToolRun.OfAsync("completion", shell);

        run.ExitCode.Should().Be(0);
        run.Output.Should().Contain(expected);
    }
}
