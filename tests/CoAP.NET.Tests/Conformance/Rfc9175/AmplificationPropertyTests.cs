using CoAP.Freshness;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Whatever is lost, repeated and late: an address that has shown nothing gets no more than its datagrams allow (RFC 9175, section 2.4, item 3).</summary>
public sealed class AmplificationPropertyTests
{
    private const int Requests = 60;
    private static readonly string[] Methods = ["GET", "POST", "PUT", "DELETE", "FETCH"];

    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "7252 11.3")]
    [InlineData(1), InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(6), InlineData(7), InlineData(8)]
    public void An_unverified_address_gets_at_most_its_allowance(int seed)
    {
        var wire = Run(seed, isLimited: true);

        var allowed = wire.Sent(Direction.ToServer).Sum(one => one.Copies * Math.Max(136, 3 * one.Bytes.Length));
        var sent = wire.Sent(Direction.ToClient).Sum(one => one.Bytes.Length);

        sent.Should().BeInRange(1, allowed, $"seed {seed}");
        wire.Sent(Direction.ToClient).Should().OnlyContain(one => one.Bytes.Length <= Limit(wire, one), $"seed {seed}");
    }

    // The same run without a limit: what the theory above measures does go wrong where nobody minds it.
    [Fact]
    public void An_endpoint_without_the_limit_amplifies()
    {
        var wire = Run(seed: 1, isLimited: false);

        wire.Sent(Direction.ToClient).Should().Contain(one => one.Bytes.Length > Limit(wire, one));
    }

    private static Wire Run(int seed, bool isLimited)
    {
        var random = new Random(seed);
        var wire = new Wire(new ManualClock(), seed) { Loss = 0.2, Duplication = 0.2, Latency = TimeSpan.FromMilliseconds(20), Jitter = TimeSpan.FromMilliseconds(300) };
        var settings = new CoapServerSettings { Amplification = new() { ExemptsLoopback = false, IsLimited = isLimited } };
        using var server = LaneEnd.Server(wire, map => Map(map, wire.Time, random), settings);
        using var attacker = ScriptedPeer.Client(wire);
        for (var i = 0; i < Requests; i++)
        {
            attacker.Send(Forge(random, (ushort)random.Next(40)));
            attacker.TakeAll(seconds: random.NextDouble() * 2);
        }
        attacker.TakeAll(seconds: 600);
        ((AddressVerification)server.Lane.Addresses!).Places.Should().Be(0, $"nobody has shown anything; seed {seed}");
        return wire;
    }

    // By the datagrams that had the message ID or the token of this one: none may bring more than the largest of them allows.
    private static int Limit(Wire wire, SentDatagram answer)
    {
        var message = WireMessage.Read(answer.Bytes);
        var requests = wire.Sent(Direction.ToServer).Where(one => one.Time <= answer.Time).Select(one => (one.Bytes, Message: WireMessage.Read(one.Bytes)));
        return requests
            .Where(one => message.Type == 2 ? one.Message.Id == message.Id : one.Message.Token.SequenceEqual(message.Token))
            .Max(one => Math.Max(136, 3 * one.Bytes.Length));
    }

    private static byte[] Forge(Random random, ushort id)
    {
        var message = new WireMessage(
            random.Next(2), 1 + random.Next(Methods.Length), id, [(byte)random.Next(256), (byte)random.Next(256)],
            [new(11, random.Next(2) == 0 ? "now"u8.ToArray() : "late"u8.ToArray())], random.Next(3) == 0 ? new byte[random.Next(200)] : []);
        return message.ToBytes();
    }

    private static void Map(ResourceMap resources, ManualClock time, Random random)
    {
        foreach (var path in new[] { "now", "late" })
        {
            var resource = resources.At(path);
            foreach (var method in Enumerable.Range(1, Methods.Length)) { resource.On(new CoapCode(0, method), Answer, HandlerMode.Inline); }
        }

        async ValueTask<CoapResponse> Answer(IncomingRequest request, CancellationToken cancellationToken)
        {
            var length = random.Next(3) == 0 ? random.Next(20) : random.Next(900);
            if (request.Path == "/late") { await LateAnswer.After(time, TimeSpan.FromMilliseconds(random.Next(3000))); }
            return new CoapResponse(ResponseCode.Content) { Payload = new byte[length] };
        }
    }
}
