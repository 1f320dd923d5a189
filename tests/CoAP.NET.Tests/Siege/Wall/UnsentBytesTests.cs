using System.Net;
using CoAP.Exchanges;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Connections of one address that ask for much and read nothing.</summary>
public sealed class UnsentBytesTests
{
    private const int Limit = 1 << 20;
    private const int Connections = 32;

    private static readonly IPAddress Attacker = IPAddress.Parse("192.0.2.1");
    private static readonly IPEndPoint Honest = new(IPAddress.Parse("198.51.100.7"), 5683);

    // A CSM with a large Max-Message-Size, and requests for 20,000 bytes.
    private static readonly byte[] Csm = Hex.Bytes("30 e1 22 ff ff");
    private static readonly byte[] Large = Hex.Bytes("d1 01 01 7a b5 6c61726765 47 6e3d3230303030");

    [Fact]
    public async Task An_honest_peer_is_served_while_others_do_not_read()
    {
        await using var host = new StreamHost(static settings => settings with { MaxInFlightSize = 2 * Limit });
        var attackers = Enumerable.Range(0, Connections).Select(port => Connect(host, new IPEndPoint(Attacker, 10_000 + port))).ToList();
        var book = host.Server.Lanes.OfType<ExchangeLane>().First().Ledger.UnsentBytes;
        foreach (var attacker in attackers)
        {
            attacker.Send(Csm).Should().BeTrue();
            for (var i = 0; i < 40; i++) { attacker.SendSome(Large); }
        }
        await host.Server.TakeTurnsUntilAsync(() => book.Used > Limit / 4);
        await host.Server.TakeTurnsAsync(200);
        book.Used.Should().BeLessThanOrEqualTo(Limit);

        using (var honest = Connect(host, Honest))
        {
            honest.Send(Csm).Should().BeTrue();
            await honest.ReadAsync();
            for (var i = 0; i < 3; i++)
            {
                honest.Send(Large).Should().BeTrue();
                (await honest.ReadAsync())!.Length.Should().BeGreaterThan(2 * 20_000, "two digits for each byte");
            }
        }
        book.Used.Should().BeLessThanOrEqualTo(Limit);

        attackers.ForEach(static attacker => attacker.Dispose());
        await host.Server.TakeTurnsUntilAsync(() => book is { Used: 0, Count: 0 });
    }

    private static RawPeer Connect(StreamHost host, IPEndPoint address) =>
        new(host.Network.Connect(PeerIdentity.From(address), PeerIdentity.From(StreamHost.Name)));
}
