using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Client;

/// <summary>A client that is created while the system has few descriptors left, or none: each step of its start fails once.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class DescriptorsUsedUpTests
{
    private const int Most = 2_000;

    [SkippableTheory]
    [InlineData(1, false), InlineData(1, true), InlineData(3, false)]
    public async Task The_call_fails_with_an_error_of_the_transport_and_its_sockets_are_closed(int lanes, bool isSync)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs a limit that only Linux has");
        await using var server = StartServer();
        var uri = $"coap://{server.Endpoints[0].Address}/";
        // Code that is loaded for the first time needs descriptors of its own.
        (await CallAsync(uri, lanes, isSync)).Should().BeNull();
        var before = OpenSockets();

        List<Exception?> failures = [];
        // Other tests leave open descriptors above the first free one, so the number that is enough is not known.
        for (var more = 0; more < Most && (more == 0 || failures[^1] is not null); more++)
        {
            using (DescriptorLimit.Of(more)) { failures.Add(await CallAsync(uri, lanes, isSync)); }
        }

        failures[0].Should().BeOfType<CoapTransportException>();
        failures[^1].Should().BeNull();
        failures.Should().AllSatisfy(failure => (failure is null or CoapTransportException).Should().BeTrue($"{failure} is no error of the transport"));
        await server.TakeTurnsUntilAsync(() => OpenSockets() <= before);
    }

    // Other descriptors are not counted: the test runner opens and closes pipes and files.
    private static int OpenSockets() =>
        Directory.GetFileSystemEntries("/proc/self/fd").Count(one => new FileInfo(one).LinkTarget?.StartsWith("socket:", StringComparison.Ordinal) == true);

    private static async Task<Exception?> CallAsync(string uri, int lanes, bool isSync)
    {
        await using var client = new CoapClient(new() { Lanes = lanes });
        try
        {
            if (isSync) { await Task.Run(() => client.Get(uri)); }
            else { await client.GetAsync(uri); }
            return null;
        }
        catch (Exception exception) // The test judges it.
        {
            return exception;
        }
    }

    private static CoapServer StartServer()
    {
        var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] });
        server.Resources.At("").Get(_ => Response.Content("here"), HandlerMode.Inline);
        server.Start();
        return server;
    }
}
