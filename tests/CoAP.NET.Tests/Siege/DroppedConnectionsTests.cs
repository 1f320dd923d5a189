using System.Net.Sockets;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Connections that are opened and dropped in every way.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class DroppedConnectionsTests
{
    private const int Count = 300;
    private static readonly byte[] CsmAndGet = Hex.Bytes("00 e1  61 01 7a b5 68656c6c6f");

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.AsyncSingle)]
    [InlineData(ServerMode.Sync)]
    public async Task Hundreds_that_are_reset_leave_nothing_behind(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);

        for (var at = 0; at < Count; at++) { BesiegedServer.Reset(besieged.Connect()); }

        besieged.ShouldHaveNothingLeft();
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task Hundreds_that_are_closed_leave_nothing_behind(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);

        for (var at = 0; at < Count; at++)
        {
            using var socket = besieged.Connect();
            socket.Shutdown(SocketShutdown.Send);
            if (at % 10 == 0) { BesiegedServer.ReadToEnd(socket); }
        }

        besieged.ShouldHaveNothingLeft();
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task Hundreds_that_ask_and_do_not_wait_for_the_answer_leave_nothing_behind(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);

        for (var at = 0; at < Count; at++)
        {
            var socket = besieged.Connect();
            BesiegedServer.TrySend(socket, CsmAndGet);
            BesiegedServer.Reset(socket);
        }

        besieged.ShouldHaveNothingLeft();
    }

    [SkippableFact]
    public async Task Hundreds_of_local_ones_leave_nothing_behind()
    {
        Skip.IfNot(Socket.OSSupportsUnixDomainSockets);
        var path = Path.Combine(Path.GetTempPath(), $"coap-siege-{Guid.NewGuid():N}.sock");
        await using var besieged = new BesiegedServer(endpoints: ServerEndpoint.Unix(path));

        for (var at = 0; at < Count; at++)
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            socket.Connect(new UnixDomainSocketEndPoint(path));
            if (at % 2 == 0) { BesiegedServer.TrySend(socket, CsmAndGet); }
        }

        besieged.ShouldHaveNothingLeft();
    }

    [Fact]
    public async Task Dropped_connections_leave_no_growing_heap()
    {
        const int Rounds = 5;
        const int Dropped = 1_000;
        await using var besieged = new BesiegedServer();
        Drop(besieged, Dropped);
        var sizes = new List<long> { GC.GetTotalMemory(forceFullCollection: true) };

        for (var round = 0; round < Rounds; round++)
        {
            Drop(besieged, Dropped);
            sizes.Add(GC.GetTotalMemory(forceFullCollection: true));
        }

        // What leaks does so in each round; pools that were emptied under pressure fill up again in one of them.
        var growth = sizes.Zip(sizes.Skip(1), static (before, after) => after - before).Min();
        growth.Should().BeLessThan(Dropped * 100, "an open connection takes 1,900 bytes, one that was dropped none");
    }

    private static void Drop(BesiegedServer besieged, int count)
    {
        for (var at = 0; at < count; at++) { BesiegedServer.Reset(besieged.Connect()); }
        besieged.ShouldHaveNothingLeft();
    }
}
