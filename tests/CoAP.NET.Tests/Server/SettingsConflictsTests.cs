using System.Net;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Server;

/// <summary>Limits that contradict each other, and what the log contains at the start of a server.</summary>
[Trait("Category", "Loopback")]
public sealed class SettingsConflictsTests
{
    [Fact]
    public async Task Limits_that_contradict_each_other_are_logged_at_the_start()
    {
        var log = new TestLog();
        await using var server = new CoapServer(new()
        {
            Endpoints = [],
            LoggerFactory = log,
            ServerTransfers = new() { MaxTotalSize = 100 << 10, StreamWindow = 64 << 10 },
            Stream = new() { MaxMessageSize = 2000, AbortAboveSize = 1000, MaxUnreadSize = 2000, MaxUnsentSize = 1000 },
            MaxInFlightSize = 7999,
            HandlerThreads = 8,
            MaxHandlerQueue = 7,
        });

        server.Start();

        log.Lines(LogLevel.Warning).Should().HaveCount(6).And.AllSatisfy(static line => line.Should().StartWith("Settings contradict each other: "))
            .And.Contain(static line => line.Contains("MaxBodySize is 16777216, but MaxTotalSize is 102400", StringComparison.Ordinal));
        log.Lines(LogLevel.Information).Should().ContainSingle(static line => line.Contains("has no endpoints", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_default_limits_do_not_contradict_each_other()
    {
        var log = new TestLog();
        await using var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))], LoggerFactory = log });

        server.Start();

        log.Lines(LogLevel.Warning).Should().BeEmpty();
    }
}
