using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;

namespace CoAP.Interop.Tests;

/// <summary>Our sample client on libcoap's server.</summary>
[Trait("Category", "Interop")]
public sealed class SampleClientTests
{
    public static TheoryData<string, string, string> Ways()
    {
        var ways = new TheoryData<string, string, string>();
        foreach (var (scheme, address) in ((string, string)[])[("coap", "127.0.0.1"), ("coap", "::1"), ("coap+tcp", "127.0.0.1"), ("coap+tcp", "::1")])
        {
            string[] forms = scheme == "coap" ? ["", "--sync", "--non", "--sync --non"] : ["", "--sync"];
            foreach (var form in forms) { ways.Add(scheme, address, form); }
        }
        return ways;
    }

    [SkippableTheory]
    [MemberData(nameof(Ways))]
    [Trait("RFC", "7252 5.8")]
    public async Task Puts_gets_posts_and_deletes(string scheme, string address, string form)
    {
        await using var server = await StartAsync(address);
        var uri = $"{server.Base(scheme)}/note";
        var forms = form.Split(' ', StringSplitOptions.RemoveEmptyEntries);

        var put = await Client.RunAsync(["PUT", uri, "--payload", "buy milk", .. forms]);
        var got = await Client.RunAsync(["GET", uri, .. forms]);
        var post = await Client.RunAsync(["POST", uri, "--payload", "buy tea", .. forms]);
        var gotAgain = await Client.RunAsync(["get", uri, .. forms]);
        var delete = await Client.RunAsync(["delete", uri, .. forms]);
        var gone = await Client.RunAsync(["get", uri, .. forms]);

        Outcome[] all = [put, got, post, gotAgain, delete, gone];
        all.Select(CodeOf).Should().Equal(["2.01", "2.05", "2.04", "2.05", "2.02", "4.04"], "{0}", server);
        all.Select(outcome => outcome.ExitCode).Should().Equal(0, 0, 0, 0, 0, 1);
        got.Text.Should().Be("buy milk");
        gotAgain.Text.Should().Be("buy tea");
    }

    [SkippableTheory]
    [InlineData("coap", "")]
    [InlineData("coap", "--sync")]
    [InlineData("coap+tcp", "")]
    [InlineData("coap+tcp", "--sync")]
    [Trait("RFC", "7252 5.2.2")]
    public async Task Waits_for_a_separate_response(string scheme, string form)
    {
        await using var server = await StartAsync("127.0.0.1");

        var outcome = await Client.RunAsync(["GET", $"{server.Base(scheme)}/async?1", .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

        outcome.ExitCode.Should().Be(0, "{0}", outcome);
        outcome.Text.Should().Be("done");
    }

    [SkippableFact]
    [Trait("RFC", "6690 4")]
    public async Task Discovers_what_there_is()
    {
        await using var server = await StartAsync("127.0.0.1");

        var outcome = await Client.RunAsync("GET", $"{server.Base("coap")}/.well-known/core");

        outcome.Text.Should().Contain("</time>;if=\"clock\"");
        outcome.Errors.Should().Contain("ContentFormat: 40");
    }

    [SkippableTheory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task Ends_with_2_when_nobody_is_there(string scheme)
    {
        var server = await StartAsync("127.0.0.1");
        var uri = $"{server.Base(scheme)}/time";
        await server.DisposeAsync();

        var outcome = await Client.RunAsync("GET", uri);

        outcome.ExitCode.Should().Be(2, "{0}", outcome);
        outcome.Output.Should().BeEmpty();
    }

    // The other tests run the code of the program in this process.
    [SkippableTheory]
    [InlineData("coap", ""), InlineData("coap", "--sync"), InlineData("coap", "--non"), InlineData("coap+tcp", "")]
    public async Task The_program_sends_a_file_prints_bodies_and_reports_by_its_exit_code(string scheme, string form)
    {
        await using var server = await StartAsync("127.0.0.1");
        using var file = new BodyFile(1025);
        var uri = $"{server.Base(scheme)}/note";
        string[] how = ["--block-size", "64", .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)];

        var put = await Client.RunProgramAsync(["PUT", uri, "--file", file.Path, .. how]);
        var got = await Client.RunProgramAsync(["GET", uri, .. how]);
        var missing = await Client.RunProgramAsync(["GET", $"{server.Base(scheme)}/nothing", .. how]);

        Outcome[] all = [put, got, missing];
        all.Select(CodeOf).Should().Equal(["2.01", "2.05", "4.04"], "{0}", server);
        all.Select(outcome => outcome.ExitCode).Should().Equal(0, 0, 1);
        got.Text.Should().Be(file.Text);
    }

    [SkippableFact]
    public async Task The_program_prints_the_states_of_a_resource_and_the_usage()
    {
        await using var server = await StartAsync("127.0.0.1");

        await using var observing = Client.StartProgram("GET", $"{server.Base("coap")}/time", "--observe", "60");
        var first = await observing.LineAsync(IsTime);
        var second = await observing.LineAsync(line => IsTime(line) && line != first);
        var wrong = await Client.RunProgramAsync("GET");

        second.Should().NotBe(first);
        wrong.ExitCode.Should().Be(2, "{0}", wrong);
        wrong.Errors.Should().ContainMatch("Usage: SampleClient *");
    }

    [Theory]
    [InlineData("--psk hunter2", "--psk takes IDENTITY:KEY. *")]
    [InlineData("--psk me:0xhunter2", "--psk me: *")]
    [InlineData("--psk=me:hunter2", "Unknown option '--psk'.")]
    [InlineData("--pks:hunter2", "Unknown option '--pks'.")]
    [InlineData("me:hunter2", "An option is required before a value.")]
    public async Task A_wrong_key_is_not_shown(string arguments, string message)
    {
        var wrong = await Client.RunAsync(["GET", "coaps://127.0.0.1/hello", .. arguments.Split(' ')]);

        wrong.ExitCode.Should().Be(2);
        wrong.Errors.Should().ContainMatch(message);
        string.Join(' ', wrong.Errors).Should().NotContain("hunter2");
    }

    [SkippableTheory]
    [InlineData("GET")]
    [InlineData("FIND coap://127.0.0.1/hello")]
    [InlineData("GET coap://127.0.0.1/hello --payload")]
    [InlineData("GET http://127.0.0.1/hello")]
    [InlineData("GET coap://127.0.0.1/hello --block-size 100")]
    [InlineData("PUT coap://127.0.0.1/hello --payload a --file b")]
    public async Task Ends_with_2_when_it_is_called_wrongly(string arguments)
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");

        var outcome = await Client.RunAsync(arguments.Split(' '));

        outcome.ExitCode.Should().Be(2, "{0}", outcome);
        outcome.Errors.Should().NotBeEmpty();
        outcome.Output.Should().BeEmpty();
    }

    // Such as "Nov 21 14:00:00".
    private static bool IsTime(string line) => line.Length == "Nov 21 14:00:00".Length && line.Count(static one => one == ':') == 2;

    private static string CodeOf(Outcome outcome) => outcome.Errors.Count > 0 ? outcome.Errors[0].Split(' ')[0] : outcome.ToString();

    private static async Task<LibcoapServer> StartAsync(string address)
    {
        Needed.Programs(Needed.CoapServer);
        Needed.Address(address);
        return await LibcoapServer.StartAsync(address);
    }
}
