using CoAP.Tests.Architecture;

namespace CoAP.Hosting.Tests.Mistakes;

/// <summary>What new users get to read after the mistakes that they make. The page in the documentation has the texts.</summary>
[Collection("Loopback"), Trait("Category", "Loopback")]
public sealed class MistakesPageTests
{
    private static readonly string[] Head =
    [
        "# Common mistakes",
        "",
        "This page lists the errors for common mistakes in code, in the configuration and in requests. Search it for the text of your error.",
        "A test makes these mistakes and generates this page: `COAP_APPROVE=1 dotnet test tests/CoAP.NET.Hosting.Tests`.",
        "",
    ];

    [Fact]
    public async Task The_page_has_the_error_of_each_mistake()
    {
        await using var host = new BoundHost();
        await host.StartAsync();
        (string Heading, IEnumerable<Mistake> Mistakes)[] parts =
        [
            ("Servers", EndpointMistakes.OfServers()), ("Resources", EndpointMistakes.OfResources()), ("Responses", EndpointMistakes.OfResponses()),
            ("Requests", ClientMistakes.OfRequests()), ("Calls", ClientMistakes.OfCalls()),
            ("Hosts", HostMistakes.OfHosts()), ("Responses to clients", HostMistakes.OfRequests(host)),
        ];
        List<string> lines = [.. Head];
        foreach (var (heading, mistakes) in parts)
        {
            lines.AddRange([$"## {heading}", "", "| mistake | error |", "| --- | --- |"]);
            foreach (var mistake in mistakes) { lines.Add(await mistake.RowAsync()); }
            lines.Add("");
        }

        Approved.Check("docs/mistakes.md", lines[..^1]);
        lines.Should().NotContain(static line => line.Contains("no error", StringComparison.Ordinal));
    }
}
