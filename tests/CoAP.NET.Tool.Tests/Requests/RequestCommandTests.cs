using System.Text;
using System.Text.Json;

namespace CoAP.Tool.Tests.Requests;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class RequestCommandTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Get_writes_the_payload_to_the_output_and_the_rest_to_the_error_stream(bool isReliable)
    {
        await using var server = new ToolServer(static map => map.At("hello").Get((_, _) => new(Response.Content("Hello"))));

        var run = await ToolRun.OfAsync("get", $"{(isReliable ? server.Tcp : server.Udp)}/hello");

        run.ExitCode.Should().Be(0);
        run.Output.Should().Be("Hello");
        run.Error.Should().StartWith("2.05 Content 5 B from ").And.Contain("Content-Format: text/plain");
    }

    [Fact]
    public async Task An_error_answer_gives_exit_code_1_and_its_text()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Error(ResponseCode.BadRequest, "too cold"))));

        var run = await ToolRun.OfAsync("get", $"{server.Udp}/a");

        run.ExitCode.Should().Be(1);
        run.Output.Should().Be("too cold");
        run.Error.Should().StartWith("4.00 Bad Request");
    }

    [Fact]
    public async Task No_answer_gives_exit_code_2_and_the_reason()
    {
        using var silent = new System.Net.Sockets.UdpClient(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0));

        var run = await ToolRun.OfAsync("get", $"coap://{silent.Client.LocalEndPoint}/a", "--timeout", "50ms");

        run.ExitCode.Should().Be(2);
        run.Error.Should().StartWith("coap: ").And.Contain("0.05 s");
        run.Output.Should().BeEmpty();
    }

    [Fact]
    public async Task Put_sends_a_file_with_its_format_and_options()
    {
        IncomingRequest? seen = null;
        byte[]? received = null;
        await using var server = new ToolServer(map => map.At("a").Put((request, _) =>
        {
            (seen, received) = (request, request.Payload.ToArray());
            return new(Response.Changed);
        }).HandlesConditions());
        using var file = new TemporaryFile(".json", Encoding.UTF8.GetBytes($"[{string.Join(',', Enumerable.Range(0, 5000))}]"));

        var run = await ToolRun.OfAsync("put", $"{server.Udp}/a?b=1", "--file", file.Path, "--option", "If-Match=0x1f", "--block-size", "256");

        run.ExitCode.Should().Be(0, run.Error);
        received.Should().Equal(await File.ReadAllBytesAsync(file.Path));
        seen!.ContentFormat.Should().Be(ContentFormats.Json);
        seen.Query("b").Should().Be("1");
        seen.Options.Contains(1).Should().BeTrue();
    }

    [Fact]
    public async Task Post_sends_the_standard_input()
    {
        await using var server = new ToolServer(static map => map.At("echo").Post((request, _) => new(Response.Content(request.Payload, ContentFormats.OctetStream))));

        var run = await ToolRun.WithInputAsync("piped"u8.ToArray(), "post", $"{server.Tcp}/echo", "--file", "-");

        run.Output.Should().Be("piped", run.Error);
    }

    [Fact]
    public async Task An_output_file_appears_only_when_the_body_is_complete()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content(new byte[100_000], ContentFormats.OctetStream))));
        using var file = new TemporaryFile(".bin", [1, 2, 3]);

        var missing = await ToolRun.OfAsync("get", $"{server.Udp}/b", "--output", file.Path);
        var kept = await File.ReadAllBytesAsync(file.Path);
        var run = await ToolRun.OfAsync("get", $"{server.Udp}/a", "--output", file.Path);

        missing.ExitCode.Should().Be(1);
        kept.Should().Equal(1, 2, 3);
        run.ExitCode.Should().Be(0, run.Error);
        (await File.ReadAllBytesAsync(file.Path)).Should().HaveCount(100_000);
    }

    [Fact]
    public async Task Output_follows_a_link_and_keeps_other_files()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("new"))));
        using var folder = new TemporaryFolder();
        File.CreateSymbolicLink(folder["link"], folder.Write("target", "old"));
        folder.Write("link.part", "of the user");

        var run = await ToolRun.OfAsync("get", $"{server.Udp}/a", "--output", folder["link"]);

        run.ExitCode.Should().Be(0, run.Error);
        File.ReadAllText(folder["target"]).Should().Be("new");
        new FileInfo(folder["link"]).LinkTarget.Should().NotBeNull();
        Directory.GetFiles(folder.Path).Should().HaveCount(3);
    }

    [Fact]
    public async Task Output_creates_a_file()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("new"))));
        using var folder = new TemporaryFolder();
        File.CreateSymbolicLink(folder["link"], folder["target of a link"]);

        var run = await ToolRun.OfAsync("get", $"{server.Udp}/a", "--output", folder["file"]);
        var overLink = await ToolRun.OfAsync("get", $"{server.Udp}/a", "--output", folder["link"]);

        (run.ExitCode, overLink.ExitCode).Should().Be((0, 0), run.Error + overLink.Error);
        File.ReadAllText(folder["file"]).Should().Be("new");
        File.ReadAllText(folder["target of a link"]).Should().Be("new");
    }

    [Theory]
    [InlineData("--raw", "--max-size", "100K")]
    [InlineData("--output", "--max-size", "100K")]
    [InlineData("--json", "--max-size", "100K")]
    public async Task An_endless_body_ends_at_the_limit(string form, params string[] limit)
    {
        var endless = new EndlessStream();
        await using var server = new ToolServer(map => map.At("a").Get((_, _) => new(Response.Content(endless, ContentFormats.OctetStream, length: null))));
        using var folder = new TemporaryFolder();

        var run = await ToolRun.OfAsync(["get", $"{server.Tcp}/a", form, .. form == "--output" ? new[] { folder["file"] } : [], .. limit]);

        run.ExitCode.Should().Be(2);
        run.Error.Should().Contain("102400");
        run.Output.Length.Should().BeLessThanOrEqualTo(100 << 10);
        Directory.GetFileSystemEntries(folder.Path).Should().BeEmpty();
    }

    [SkippableFact]
    public async Task Output_writes_into_a_pipe()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The call is one of Linux.");
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("new"))));
        using var folder = new TemporaryFolder();
        folder.MakePipe("pipe");
        var read = Task.Run(() => File.ReadAllText(folder["pipe"]));

        var run = await ToolRun.OfAsync("get", $"{server.Udp}/a", "--output", folder["pipe"]);

        run.ExitCode.Should().Be(0, run.Error);
        (await read).Should().Be("new");
    }

    [Fact]
    public async Task A_payload_that_begins_with_an_at_sign_is_a_payload()
    {
        await using var server = new ToolServer(static map => map.At("echo").Post((request, _) => new(Response.Content(request.Payload, ContentFormats.OctetStream))));

        var run = await ToolRun.OfAsync("post", $"{server.Udp}/echo", "--payload", "@home");

        run.Output.Should().Be("@home", run.Error);
    }

    [Fact]
    public async Task A_problem_of_the_server_cannot_control_the_terminal()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Problem(ResponseCode.BadRequest, "\u001b[31mred"))));

        var run = await ToolRun.OnTerminalAsync("get", $"{server.Udp}/a");

        run.Output.Should().Contain("\\u001b[31mred");
    }

    [Fact]
    public async Task Json_is_one_line_for_scripts()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("""{"on":true}"""u8.ToArray(), ContentFormats.Json))));

        var run = await ToolRun.OfAsync("get", $"{server.Udp}/a", "--json");

        using var report = JsonDocument.Parse(run.Output);
        run.Output.TrimEnd().Should().NotContain("\n");
        report.RootElement.GetProperty("code").GetString().Should().Be("2.05");
        report.RootElement.GetProperty("payload").GetProperty("on").GetBoolean().Should().BeTrue();
        report.RootElement.GetProperty("options")[0].GetProperty("name").GetString().Should().Be("Content-Format");
    }

    [Fact]
    public async Task On_a_terminal_the_payload_is_readable_and_colored()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("""{"on":true}"""u8.ToArray(), ContentFormats.Json))));

        var run = await ToolRun.OnTerminalAsync("get", $"{server.Udp}/a");

        run.Output.Should().Contain("\u001b[").And.Contain("\"on\"").And.Contain("\n");
    }

    [Fact]
    public async Task Verbose_prints_the_messages()
    {
        await using var server = new ToolServer(static map => map.At("hello").Get((_, _) => new(Response.Content("Hello"))));

        var datagrams = await ToolRun.OfAsync("get", $"{server.Udp}/hello", "-v");
        var connection = await ToolRun.OfAsync("get", $"{server.Tcp}/hello", "-v");

        datagrams.Error.Should().MatchRegex(@"→ \S+ CON GET id \d+ token \S+ \[.*Uri-Path: hello").And.MatchRegex(@"← \S+ ACK 2\.05 Content id \d+ .*""Hello""");
        connection.Error.Should().Contain("→").And.Contain("7.01 CSM").And.NotContain("CON ");
    }

    /// <summary>A long stream. It ends so that a missing limit fails the test.</summary>
    private sealed class EndlessStream : Stream
    {
        private int _left = 4 << 20;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => 0; set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            count = Math.Min(count, _left);
            buffer.AsSpan(offset, count).Fill((byte)'x');
            _left -= count;
            return count;
        }

        public override void Flush() { }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
