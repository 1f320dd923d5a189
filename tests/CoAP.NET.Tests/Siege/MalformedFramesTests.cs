using System.Net.Sockets;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Bytes that are no messages, over real sockets.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class MalformedFramesTests
{
    private const int Seed = 8323;

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task Every_first_byte_and_what_is_random_leave_nothing_behind(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);
        var random = new Random(Seed);

        for (var at = 0; at < 768; at++)
        {
            var garbage = new byte[random.Next(1, 100)];
            random.NextBytes(garbage);
            var socket = besieged.Connect();
            if (at % 3 > 0) { BesiegedServer.TrySend(socket, Hex.Bytes("00 e1")); }
            BesiegedServer.TrySend(socket, [(byte)at, .. garbage]);
            if (at % 2 == 0) { BesiegedServer.Reset(socket); }
            else { socket.Dispose(); }
        }

        besieged.ShouldHaveNothingLeft();
    }

    [Fact]
    public async Task A_length_that_is_only_announced_takes_no_memory()
    {
        const int Attempts = 3;
        var least = long.MaxValue;

        // Other memory of the process can only add to the result.
        for (var attempt = 0; attempt < Attempts; attempt++) { least = Math.Min(least, await MeasureAsync()); }

        least.Should().BeLessThan(500 * 16 * 1024, $"16 GiB were announced and 1 byte sent (seed {Seed})");
    }

    private static async Task<long> MeasureAsync()
    {
        await using var besieged = new BesiegedServer(change: settings => settings with { Stream = new StreamSettings { MaxMessageSize = 64 << 20, AbortAboveSize = 64 << 20 } });
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var held = new List<Socket>();
        for (var at = 0; at < 500; at++)
        {
            held.Add(besieged.Connect());
            held[at].Send(Hex.Bytes("00 e1  f0 02000000 02 ff"));    // POST of 33,620,245 bytes
        }
        besieged.AskUntil(() => besieged.Server.OpenConnections == 501).Should().BeTrue();
        var growth = GC.GetTotalMemory(forceFullCollection: true) - before;
        held.ForEach(BesiegedServer.Reset);
        besieged.ShouldHaveNothingLeft();
        return growth;
    }
}
