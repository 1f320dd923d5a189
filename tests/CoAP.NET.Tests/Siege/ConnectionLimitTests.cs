using System.Net;
using System.Net.Sockets;
using CoAP.Tests.Streams;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Siege;

/// <summary>What happens when the limits of a server are reached.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class ConnectionLimitTests
{
    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task Above_the_limit_all_are_closed_at_once_those_inside_are_served_and_the_log_has_one_line(ServerMode mode)
    {
        var log = new TestLog();
        await using var besieged = new BesiegedServer(mode, settings => settings with { LoggerFactory = log, Tcp = new TcpSettings { MaxConnections = 19 } });
        var held = Enumerable.Range(0, 9).Select(_ => besieged.Connect()).ToList();
        besieged.AskUntil(() => besieged.Server.OpenConnections == 10).Should().BeTrue();

        for (var at = 0; at < 500; at++)
        {
            using var refused = besieged.Connect();
            BesiegedServer.ReadToEnd(refused).Should().BeEmpty("it gets no CSM");
        }
        held.ForEach(BesiegedServer.Reset);

        besieged.ShouldHaveNothingLeft();
        log.Lines(LogLevel.Warning).Where(static line => line.Contains("127.0.0.1 holds 10 of 19 (MaxConnections)", StringComparison.Ordinal)).Should().HaveCountLessThan(3).And.NotBeEmpty();
    }

    [Fact]
    public async Task One_address_that_has_all_it_may_have_keeps_no_other_one_out()
    {
        await using var besieged = new BesiegedServer(change: static settings => settings with { Tcp = new TcpSettings { MaxConnections = 20 } });
        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = (int)RawPeer.Patience.TotalMilliseconds };
        other.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.9"), 0));

        for (var at = 0; at < 200; at++) { BesiegedServer.Reset(besieged.Connect()); }
        var held = Enumerable.Range(0, 200).Select(_ => besieged.Connect()).ToList();
        other.Connect(besieged.Address);
        var greeting = new byte[6];
        other.Receive(greeting);
        held.ForEach(BesiegedServer.Reset);
        BesiegedServer.Reset(other);

        greeting[1].Should().Be(0xE1, "it is greeted with a CSM");
        besieged.ShouldHaveNothingLeft();
    }
}
