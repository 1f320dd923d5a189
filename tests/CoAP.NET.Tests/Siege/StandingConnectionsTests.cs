using System.Net.Sockets;
using System.Text;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Connections that are held and of no use to anybody: the server's limits of time end them.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class StandingConnectionsTests : IDisposable
{
    private const int Count = 100;
    private const int Tcp = 6;
    private const int TcpRepair = 19;

    private readonly List<Socket> _held = [];

    public void Dispose() => _held.ForEach(static socket => socket.Dispose());

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    [Trait("RFC", "8323 5.3")]
    public async Task A_peer_that_never_sends_a_CSM_is_aborted(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);

        Hold(besieged, "");
        var last = _held.ConvertAll(static socket => Encoding.UTF8.GetString(BesiegedServer.ReadToEnd(socket)));
        Dispose();

        last.Should().AllSatisfy(static text => text.Should().Contain("No CSM arrived within"));
        besieged.ShouldHaveNothingLeft();
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task A_peer_whose_message_trickles_is_aborted_however_regularly_a_byte_arrives(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);

        Hold(besieged, "00 e1  e0 e961 02");    // POST of 60,014 bytes
        var open = _held;
        using (var ticks = new PeriodicTimer(TimeSpan.FromMilliseconds(20)))
        {
            while (open.Count > 0)
            {
                await ticks.WaitForNextTickAsync();
                open = open.FindAll(static socket => BesiegedServer.TrySend(socket, [0]));
            }
        }
        Dispose();

        besieged.ShouldHaveNothingLeft();
    }

    // Both servers at once: they wait for the end of their peers for a second of real time.
    [Fact]
    public async Task A_peer_that_never_reads_its_answers_is_no_longer_read_and_then_released()
    {
        await using var first = new BesiegedServer(ServerMode.Async, Impatient);
        await using var second = new BesiegedServer(ServerMode.Sync, Impatient);

        AskForMuch(first);
        AskForMuch(second);

        await first.Server.TakeTurnsUntilAsync(() => first.Server.OpenConnections <= 1);
        await second.Server.TakeTurnsUntilAsync(() => second.Server.OpenConnections <= 1);
        Dispose();
    }

    [SkippableFact]
    [Trait("RFC", "8323 5.4")]
    public async Task A_peer_that_vanishes_silently_gets_a_Ping_and_is_closed()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && CanVanish(), "needs the right to repair sockets");
        await using var besieged = new BesiegedServer(change: Impatient);

        Hold(besieged, "00 e1");
        _held.ForEach(static socket => Vanish(socket));

        await besieged.Server.TakeTurnsUntilAsync(() => besieged.Server.OpenConnections <= 1);
    }

    // The good client is idle for as long as the bad ones are, so it goes as well.
    private static CoapServerSettings Impatient(CoapServerSettings settings) => settings with
    {
        Stream = settings.Stream with
        {
            IdleTimeout = BesiegedServer.Patience,
            PingInterval = BesiegedServer.Patience,
            PingTimeout = BesiegedServer.Patience,
            ReleaseTimeout = BesiegedServer.Patience,
        },
        Tcp = settings.Tcp with { SendTimeout = BesiegedServer.Patience },
    };

    private void AskForMuch(BesiegedServer besieged)
    {
        for (var at = 0; at < 16; at++)
        {
            var socket = Hold(besieged.Connect());
            BesiegedServer.TrySend(socket, Hex.Bytes("00 e1  30 e1 22 ffff"));
            for (var request = 0; request < 64; request++) { BesiegedServer.TrySend(socket, Hex.Bytes("60 01 b5 6c61726765")); }
        }
    }

    private void Hold(BesiegedServer besieged, string hex)
    {
        for (var at = 0; at < Count; at++) { BesiegedServer.TrySend(Hold(besieged.Connect()), Hex.Bytes(hex)); }
    }

    private Socket Hold(Socket socket)
    {
        _held.Add(socket);
        return socket;
    }

    private static bool CanVanish()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try { socket.SetRawSocketOption(Tcp, TcpRepair, BitConverter.GetBytes(1)); }
        catch (SocketException) { return false; }
        return true;
    }

    // A socket under repair closes without a word, like a peer whose power fails.
    private static void Vanish(Socket socket)
    {
        socket.SetRawSocketOption(Tcp, TcpRepair, BitConverter.GetBytes(1));
        socket.Dispose();
    }
}
