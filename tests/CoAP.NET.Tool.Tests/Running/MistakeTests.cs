namespace CoAP.Tool.Tests.Running;

/// <summary>Wrong command lines: one clear line for each mistake, no stack trace, exit code 2.</summary>
public sealed class MistakeTests
{
    [Theory]
    [InlineData("There is no command 'gte'. The commands are get, put,", "gte", "localhost")]
    [InlineData("URI", "get")]
    [InlineData("The scheme \"http\" is none of", "get", "http://localhost/a")]
    [InlineData("Content-Format 'yaml' is unknown", "get", "localhost", "--accept", "yaml")]
    [InlineData("Option 'If-Mach' is unknown", "get", "localhost", "--option", "If-Mach=1")]
    [InlineData("Option 'Max-Age=x' needs a number", "get", "localhost", "--option", "Max-Age=x")]
    [InlineData("'0x1' is not a sequence of bytes", "get", "localhost", "--option", "If-Match=0x1")]
    [InlineData("--payload or --file, not both", "put", "localhost", "--payload", "a", "--file", "b")]
    [InlineData("no-such-file", "put", "localhost", "--file", "no-such-file")]
    [InlineData("--cert and --key must be given together", "get", "coaps://localhost", "--cert", "a.pem")]
    [InlineData("IDENTITY:KEY", "get", "coaps://localhost", "--psk", "secret")]
    [InlineData("no-such.pem", "get", "coaps://localhost", "--ca", "no-such.pem")]
    [InlineData("--block-size is '100'", "get", "localhost", "--block-size", "100")]
    [InlineData("--timeout takes a time above 0 and up to 1000000 s, such as 10, 2.5s or 500ms, not 'soon'.", "get", "localhost", "--timeout", "soon")]
    [InlineData("--count takes a number from 1 to 2147483647, not 0.", "ping", "localhost", "--count", "0")]
    [InlineData("put needs --payload TEXT", "put", "localhost/a")]
    [InlineData("--file needs the name of a file", "put", "localhost", "--file", "/")]
    [InlineData("--psk is for coaps, not for coap.", "get", "localhost", "--psk", "a:b")]
    [InlineData("--insecure is for coaps, coaps+tcp and coaps+ws, not for coap+tcp.", "get", "coap+tcp://localhost", "--insecure")]
    [InlineData("--hops takes a number from 1 to 255, not 0.", "discover", "--hops", "0")]
    [InlineData("--max-size needs --write", "serve", ".", "--max-size", "1M")]
    [InlineData("--output or --json, not both", "get", "localhost", "--output", "a", "--json")]
    public async Task A_mistake_gives_one_clear_line_and_exit_code_2(string expected, params string[] arguments)
    {
        var run = await ToolRun.OfAsync(arguments);

        run.ExitCode.Should().Be(2);
        run.Error.Should().Contain(expected).And.StartWith("coap: ").And.NotContain("   at ").And.NotContain("(Parameter");
        run.Output.Should().BeEmpty();
    }

    [Theory]
    [InlineData("--psk me: the key has 0x, but not an even number of hexadecimal digits after it.", "get",
        "coaps://localhost", "--psk", "me:0xhunter2")]
    [InlineData("--psk me: The key for 'me' has 0 bytes; 1 to 256 are allowed.", "get", "coaps://localhost", "--psk", "me:")]
    [InlineData("IDENTITY:KEY", "get", "coaps://localhost", "--psk", "hunter2")]
    [InlineData("IDENTITY:KEY", "get", "coaps://localhost", "--psk", ":hunter2")]
    [InlineData("--psk me: the key has", "serve", ".", "--listen", "coaps://localhost:0", "--psk", "me:0xhunter2")]
    [InlineData("There is no option '--pks'.", "get", "coaps://localhost", "--pks", "me:hunter2")]
    [InlineData("There is no option '--pks'.", "get", "coaps://localhost", "--pks=me:hunter2")]
    [InlineData("There is one argument too many", "get", "coaps://localhost", "me:hunter2")]
    [InlineData("There is one argument too many", "ping", "coaps://localhost", "0xhunter2")]
    [InlineData("There is no command", "me:hunter2", "localhost")]
    [InlineData("ends a user name", "get", "coap://me:hunter2@localhost/a")]
    [InlineData("user name", "serve", ".", "--listen", "coaps://me:hunter2@localhost")]
    public async Task A_mistake_does_not_show_a_key_or_password(string expected, params string[] arguments)
    {
        var run = await ToolRun.OfAsync(arguments);

        run.ExitCode.Should().Be(2);
        run.Error.Should().Contain(expected).And.NotContain("hunter2");
        run.Output.Should().NotContain("hunter2");
    }
}
