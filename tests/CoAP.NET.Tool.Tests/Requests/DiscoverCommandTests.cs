namespace CoAP.Tool.Tests.Requests;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class DiscoverCommandTests
{
    [Fact]
    public async Task Lists_the_resources_of_a_server()
    {
        await using var server = new ToolServer(static map => map.At("sensors/1").Get((_, _) => new(Response.Content("1"))).Observable().WithLink(rt: "temperature", title: "First"));

        var run = await ToolRun.OfAsync("discover", server.Udp);

        run.ExitCode.Should().Be(0, run.Error);
        run.Output.Should().Contain("/sensors/1").And.Contain("temperature").And.Contain("yes").And.Contain("First");
    }

    [Fact]
    public async Task Prints_each_link_as_a_line_of_JSON()
    {
        await using var server = new ToolServer(static map => map.At("sensors/1").Get((_, _) => new(Response.Content("1"))).WithLink(rt: "temperature"));

        var run = await ToolRun.OfAsync("discover", server.Tcp, "--json", "--filter", "rt=temp*");

        var link = System.Text.Json.JsonDocument.Parse(run.Output).RootElement;
        link.GetProperty("uri").GetString().Should().Be($"{server.Tcp}/sensors/1");
        link.GetProperty("attributes").GetProperty("rt").GetString().Should().Be("temperature");
    }

    [Fact]
    public async Task A_server_without_matching_resources_gives_exit_code_2()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("1"))));

        var run = await ToolRun.OfAsync("discover", server.Udp, "--filter", "rt=none");

        run.ExitCode.Should().Be(2);
        run.Error.Should().Contain("No resources found");
    }
}
