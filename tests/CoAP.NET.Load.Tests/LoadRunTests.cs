using System.Net;
using System.Net.Sockets;
using CoAP.Load.Echo;

namespace CoAP.Load.Tests;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class LoadRunTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_request_over_UDP_is_answered_and_nothing_is_allocated(bool isPortable)
    {
        using var socket = EchoCommand.Bind(isTcp: false, 0);
        new Thread(() => UdpEachEcho.Run(socket)) { IsBackground = true }.Start();

        var result = LoadRun.Run(Settings(socket) with { IsPortable = isPortable });

        (result.Tally.Good > 0, result.Tally.Errors, result.Tally.Strays, result.Tally.Lost).Should().Be((true, 0, 0, 0));
        result.GeneratorAllocated.Should().BeLessThan(10_000, "requests cost no memory");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_request_over_TCP_is_answered(bool isPortable)
    {
        using var socket = EchoCommand.Bind(isTcp: true, 0);
        _ = PipelinesEcho.RunAsync(socket);

        var result = LoadRun.Run(Settings(socket) with { IsTcp = true, Sockets = 3, IsPortable = isPortable });

        (result.Tally.Good > 0, result.Tally.Errors, result.Tally.Strays, result.Tally.Closed).Should().Be((true, 0, 0, 0));
    }

    [Fact]
    public void An_open_loop_sends_what_its_rate_says_and_no_more()
    {
        using var socket = EchoCommand.Bind(isTcp: false, 0);
        new Thread(() => UdpEachEcho.Run(socket)) { IsBackground = true }.Start();

        var result = LoadRun.Run(Settings(socket) with { Rate = 500, Limit = long.MaxValue, Duration = TimeSpan.FromSeconds(0.5) });

        var due = result.Tally.Good + result.Tally.Lost + result.Tally.Unsent;
        due.Should().BeCloseTo((long)(500 * result.Time.TotalSeconds), 2);
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void A_server_that_says_nothing_loses_every_request_after_its_repetitions()
    {
        using var silent = EchoCommand.Bind(isTcp: false, 0);
        var settings = Settings(silent) with { RetransmitAfter = TimeSpan.FromMilliseconds(10), Patience = TimeSpan.FromMilliseconds(300), Outstanding = 4, Limit = 4 };

        var result = LoadRun.Run(settings with { Duration = TimeSpan.FromSeconds(10) });

        (result.Tally.Good, result.Tally.Lost).Should().Be((0, 4));
        result.Tally.Retransmissions.Should().BeInRange(4, 16);
    }

    private static LoadSettings Settings(Socket server) => new()
    {
        Server = (IPEndPoint)server.LocalEndPoint!,
        Outstanding = 8,
        Sockets = 20,
        WarmUp = TimeSpan.Zero,
        Duration = TimeSpan.FromSeconds(5),
        Limit = 2_000,
    };
}
