using System.IO.Pipelines;
using System.Net;
using System.Net.WebSockets;
using CoAP.Exchanges;
using CoAP.Tests.Conformance;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>WebSockets of one address.</summary>
public sealed class WebSocketsTests
{
    private const int Limit = 32;

    private static readonly IPAddress Attacker = IPAddress.Parse("192.0.2.1");
    private static readonly IPEndPoint Honest = new(IPAddress.Parse("198.51.100.7"), 5683);

    [Fact]
    public async Task An_honest_peer_is_served_while_one_address_has_all_that_it_may_have()
    {
        await using var host = new StreamHost(static settings => settings with { WebSockets = new() { MaxConnections = Limit } });
        var attackers = Enumerable.Range(0, Limit).Select(port => Connect(host, new IPEndPoint(Attacker, 10_000 + port))).ToList();
        var book = host.Server.Lanes.OfType<ExchangeLane>().First().Ledger.WebSockets;

        var firsts = new List<WebSocketMessageType>();
        foreach (var attacker in attackers) { firsts.Add((await ReadAsync(attacker)).MessageType); }
        firsts[..(Limit / 2)].Should().AllBeEquivalentTo(WebSocketMessageType.Binary, "it is greeted with a CSM");
        firsts[(Limit / 2)..].Should().AllBeEquivalentTo(WebSocketMessageType.Close);
        attackers[^1].CloseStatus.Should().Be(WebSocketCloseStatus.PolicyViolation);
        book.Used.Should().Be(Limit / 2);

        using (var honest = Connect(host, Honest))
        {
            (await ReadAsync(honest)).MessageType.Should().Be(WebSocketMessageType.Binary);
            await honest.SendAsync(Hex.Bytes("00 e1"), WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            await honest.SendAsync(Hex.Bytes("01 01 42 b2 6869"), WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            (await ReadAsync(honest)).Count.Should().BePositive();
        }

        attackers.ForEach(static attacker => attacker.Dispose());
        await host.Server.TakeTurnsUntilAsync(() => book is { Used: 0, Count: 0 });
    }

    [Fact]
    public async Task An_honest_peer_is_served_while_one_address_does_not_complete_its_messages()
    {
        await using var host = new StreamHost(static settings => settings with { MaxInFlightSize = 2 << 20 });
        var attackers = Enumerable.Range(0, Limit).Select(port => Connect(host, new IPEndPoint(Attacker, 10_000 + port))).ToList();
        var book = host.Server.Lanes.OfType<ExchangeLane>().First().Ledger.Input.Book;
        foreach (var attacker in attackers)
        {
            await attacker.SendAsync(Hex.Bytes("00 e1"), WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            await attacker.SendAsync(Put(33_000), WebSocketMessageType.Binary, endOfMessage: false, CancellationToken.None);
        }
        await host.Server.TakeTurnsUntilAsync(() => book.Refused == Limit - 8);
        book.Used.Should().Be(8 * (64 << 10), "eight such messages take half of the limit");
        while ((await ReadAsync(attackers[^1])).MessageType != WebSocketMessageType.Close) { }
        attackers[^1].CloseStatus.Should().Be((WebSocketCloseStatus)1013);

        using (var honest = Connect(host, Honest))
        {
            await ReadAsync(honest);
            await honest.SendAsync(Hex.Bytes("00 e1"), WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            await honest.SendAsync(Put(5 << 10), WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            (await ReadAsync(honest)).Count.Should().BePositive();
        }

        attackers.ForEach(static attacker => attacker.Dispose());
        await host.Server.TakeTurnsUntilAsync(() => book is { Used: 0, Count: 0 });
    }

    private static byte[] Put(int size) => [.. Hex.Bytes("01 03 42 b4 73697a65 ff"), .. new byte[size]];

    private static WebSocket Connect(StreamHost host, IPEndPoint address)
    {
        Pipe toServer = new(), toClient = new();
        var server = new DuplexStream(toServer.Reader.AsStream(), toClient.Writer.AsStream());
        _ = host.Server.ServeWebSocketAsync(server, PeerIdentity.From(address));
        return WebSocket.CreateFromStream(new DuplexStream(toClient.Reader.AsStream(), toServer.Writer.AsStream()), new() { SubProtocol = "coap" });
    }

    private static Task<WebSocketReceiveResult> ReadAsync(WebSocket socket) => socket.ReceiveAsync(new byte[256], CancellationToken.None).WaitAsync(RawPeer.Patience);
}
