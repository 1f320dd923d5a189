using System.Net.Sockets;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>The system tells a lane each change of a connection once: what it does not act upon at once must not be forgotten.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class EdgesTests
{
    private const int AnswerSize = 60_000;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.AsyncSingle)]
    public async Task Requests_that_wait_for_room_go_on_when_the_peer_takes_the_answers_before_them(ServerMode mode)
    {
        const int Requests = 400;
        await using var besieged = new BesiegedServer(mode, static settings => settings with { Stream = new StreamSettings { MaxUnreadSize = 20_000 } });
        using var peer = Connect(besieged);

        peer.Send(Hex.Bytes("30 e1 22 ff ff" + string.Concat(Enumerable.Repeat("60 01 b5 6c61726765", Requests))));
        await AwaitStandstillAsync(besieged, peer);
        var received = Read(peer, Requests * AnswerSize);

        received.Should().BeGreaterThanOrEqualTo(Requests * AnswerSize);
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.AsyncSingle)]
    public async Task Urgent_data_does_not_hide_what_comes_after_it(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode);
        using var peer = Connect(besieged);
        peer.Send(Hex.Bytes("00 e1"));
        Read(peer, 1);

        // The urgent byte is not part of the stream: three pings are.
        peer.Send(Hex.Bytes("01 e2 41"));
        peer.Send(new byte[] { 0xFF }, SocketFlags.OutOfBand);
        peer.Send(Hex.Bytes("01 e2 42"));

        Hex.Text(ReadUntil(peer, "01e342")).Should().EndWith("01e34101e342");
    }

    private static Socket Connect(BesiegedServer besieged)
    {
        var peer = besieged.Connect();
        peer.ReceiveTimeout = (int)Patience.TotalMilliseconds;
        return peer;
    }

    // Until the buffers of both sides are full: the lanes have turns, and nothing comes.
    private static async Task AwaitStandstillAsync(BesiegedServer besieged, Socket peer)
    {
        int before;
        do
        {
            before = peer.Available;
            await besieged.Server.TakeTurnsAsync(100);
        }
        while (peer.Available > before);
    }

    private static int Read(Socket peer, int atLeast)
    {
        var received = 0;
        var buffer = new byte[64 << 10];
        while (received < atLeast && peer.Receive(buffer, SocketFlags.None, out _) is var count and > 0) { received += count; }
        return received;
    }

    private static byte[] ReadUntil(Socket peer, string end)
    {
        var received = new List<byte>();
        var buffer = new byte[256];
        while (!Hex.Text([.. received]).EndsWith(end, StringComparison.Ordinal) && peer.Receive(buffer, SocketFlags.None, out _) is var count and > 0)
        {
            received.AddRange(buffer.AsSpan(0, count));
        }
        return [.. received];
    }
}
