using System.Net;
using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Floods of hellos from many addresses, in simulated time. The server may answer only so many, whatever they contain.</summary>
public sealed class HelloFloodTests : IDisposable
{
    private const int Most = HelloBudget.Common + 256 * HelloBudget.PerGroup;       // in one period

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly Random _random = new(5);

    public HelloFloodTests() => _server = LaneEnd.Server(
        _wire, static _ => { }, new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(new PreSharedKey("a", [1, 2])), ComputesOnLane = true } });

    public void Dispose() => _server.Dispose();

    [Theory, Trait("RFC", "6347 4.2.1"), InlineData(0), InlineData(16), InlineData(8)]
    public void Invented_cookies_are_answered_no_more_often_than_hellos_without_a_cookie(int cookieLength)
    {
        ScriptedPeer[] clients = [.. Enumerable.Range(1, 600).Select(number => Client(number))];

        foreach (var client in clients)
        {
            client.Send(Hello([]));
            client.Send(Hello(RandomBytes(cookieLength)));
        }
        _wire.RunFor(TimeSpan.FromMilliseconds(5));

        foreach (var client in clients) { client.TakeAll(0); }
        clients.Sum(static client => client.Received.Count).Should().BeInRange(HelloBudget.Common, Most);
        foreach (var client in clients) { client.Dispose(); }
    }

    [Fact]
    public void A_datagram_full_of_hellos_gets_one_answer()
    {
        using var client = Client(1);

        client.Send([.. Enumerable.Repeat(Hello([]), 20).SelectMany(static record => record)]);
        _wire.RunFor(TimeSpan.FromSeconds(1));

        client.TakeAll(0);
        client.Received.Should().ContainSingle().Which[13].Should().Be((byte)HandshakeType.HelloVerifyRequest);
    }

    private ScriptedPeer Client(int number) => ScriptedPeer.Client(_wire, new IPEndPoint(new IPAddress([10, 0, (byte)(number >> 8), (byte)number]), 5000));

    private byte[] RandomBytes(int length)
    {
        var bytes = new byte[length];
        _random.NextBytes(bytes);
        return bytes;
    }

    // A record with a ClientHello of TLS_PSK_WITH_AES_128_CCM_8 (RFC 6347, section 4.2.1).
    private byte[] Hello(byte[] cookie)
    {
        byte[] body = [0xFE, 0xFD, .. RandomBytes(32), 0, (byte)cookie.Length, .. cookie, 0, 2, 0xC0, 0xA8, 1, 0];
        byte[] message = [1, 0, 0, (byte)body.Length, 0, 0, 0, 0, 0, 0, 0, (byte)body.Length, .. body];
        return [22, 0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte)message.Length, .. message];
    }
}
