namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>The flows of RFC 9177, section 10.2: Q-Block2, with Observe. 50 ms each way, NON_TIMEOUT_RANDOM of 2 s.</summary>
public class Rfc9177Section10_2Tests
{
    private static byte[] Body(int blocks, byte seed) => [.. Enumerable.Range(0, (blocks * 1024) - 24).Select(index => (byte)(seed + (index * 7 / 3)))];

    private static string[] Blocks(string time, int observe, int tag, int from, int to, int token = 1, int last = -1) =>
        [.. Enumerable.Range(from, to - from + 1).Select(block =>
            $"{time} < 2.05 T{token}{(observe > 0 ? $" O:{observe}" : "")} ET={tag} QB2:{block}/{(block == last ? 0 : 1)}/1024")];

    private static (RobustClientEnd, RobustServerEnd, RobustLine) Observation(int blocks, byte tag, uint observe)
    {
        var (client, server) = (new RobustClientEnd(RequestCode.Get, null, observe: true), new RobustServerEnd(Body(blocks, 1), tag, observe));
        return (client, server, new RobustLine(client, server));
    }

    /// <summary>Order of the options as the log has it: their numbers, ETag before Observe.</summary>
    private static string[] Sorted(params string[] lines) => [.. lines.Select(line => System.Text.RegularExpressions.Regex.Replace(line, "(O:\\d+) (ET=\\d+)", "$2 $1"))];

    //   +--------->| NON GET /path M:0x01 T:0xc0 O:0 QB2:0/1/1024
    //   |<---------+ NON 2.05 M:0xf1 T:0xc0 O:1220 ET=19 QB2:0/1/1024
    //   |<---------+ NON 2.05 M:0xf2 T:0xc0 O:1220 ET=19 QB2:1/1/1024
    //   |<---------+ NON 2.05 M:0xf3 T:0xc0 O:1220 ET=19 QB2:2/1/1024
    //   |<---------+ NON 2.05 M:0xf4 T:0xc0 O:1220 ET=19 QB2:3/0/1024
    //   |     [[Observe triggered]]
    //   |<---------+ NON 2.05 M:0xf5 T:0xc0 O:1221 ET=20 QB2:0/1/1024      (and 1 to 3)
    [Fact]
    [Trait("RFC", "9177 10.2.1")]
    [Trait("RFC", "9177 4.5")]
    public void Figure_8_a_simple_example()
    {
        var (client, server, line) = Observation(4, 19, 1220);

        line.Run(until: 1);
        server.Notify(Body(4, 2), 20, 1221, RobustLine.Ticks(1));
        line.Run();

        line.Log.Should().Equal(Sorted([
            "0.00 > GET T1 O:0 QB2:0/1/1024", .. Blocks("0.05", 1220, 19, 0, 3, last: 3), .. Blocks("1.00", 1221, 20, 0, 3, last: 3)]));
        client.Results.Select(result => result.Body).Should().BeEquivalentTo([Body(4, 1), Body(4, 2)], rule => rule.WithStrictOrdering());
    }

    //   +--------->| NON GET /path M:0x01 T:0xf0 O:0 QB2:0/1/1024
    //   |<---------+ NON 2.05 M:0x81 T:0xf0 O:1234 ET=21 QB2:0/1/1024      (and 1 to 9)
    //   |     [[MAX_PAYLOADS_SET acknowledged by client using 'Continue' Q-Block2]]
    //   +--------->| NON GET /path M:0x02 T:0xf1 QB2:10/1/1024
    //   |<---------+ NON 2.05 M:0x8b T:0xf0 O:1234 ET=21 QB2:10/0/1024
    //   |     [[Observe triggered]]  the same with O:1235 ET=22 and T:0xf2 in the request
    [Fact]
    [Trait("RFC", "9177 10.2.2")]
    [Trait("RFC", "9177 4.4")]
    public void Figure_9_handling_MAX_PAYLOADS_limits()
    {
        var (client, server, line) = Observation(11, 21, 1234);

        line.Run(until: 1);
        server.Notify(Body(11, 2), 22, 1235, RobustLine.Ticks(1));
        line.Run();

        line.Log.Should().Equal(Sorted([
            "0.00 > GET T1 O:0 QB2:0/1/1024", .. Blocks("0.05", 1234, 21, 0, 9), "0.10 > GET T2 QB2:10/1/1024", .. Blocks("0.15", 1234, 21, 10, 10, last: 10),
            .. Blocks("1.00", 1235, 22, 0, 9), "1.05 > GET T3 QB2:10/1/1024", .. Blocks("1.10", 1235, 22, 10, 10, last: 10)]));
        client.Results.Select(result => result.Body).Should().BeEquivalentTo([Body(11, 1), Body(11, 2)], rule => rule.WithStrictOrdering());
    }

    //   |<---------+ NON 2.05 M:0xa1 T:0xf0 O:1236 ET=23 QB2:0/1/1024
    //   |     X<---+ NON 2.05 M:0xa2 T:0xf0 O:1236 ET=23 QB2:1/1/1024
    //   |<---------+ [[Payloads 3 - 9 not detailed]]
    //   |     X<---+ NON 2.05 M:0xaa T:0xf0 O:1236 ET=23 QB2:9/1/1024
    //   |   ...    |   [[NON_TIMEOUT_RANDOM (server) delay expires]]
    //   |<---------+ NON 2.05 M:0xab T:0xf0 O:1236 ET=23 QB2:10/0/1024
    //   +--------->| NON GET /path M:0x04 T:0xf3 QB2:1/0/1024 QB2:9/0/1024
    //   |     X<---+ NON 2.05 M:0xac T:0xf3 ET=23 QB2:1/1/1024
    //   |<---------+ NON 2.05 M:0xad T:0xf3 ET=23 QB2:9/1/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT (client) delay expires]]
    //   +--------->| NON GET /path M:0x05 T:0xf4 QB2:1/0/1024
    //   |<---------+ NON 2.05 M:0xae T:0xf4 ET=23 QB2:1/1/1024
    [Fact]
    [Trait("RFC", "9177 10.2.3")]
    [Trait("RFC", "9177 7.2")]
    public void Figure_10_handling_MAX_PAYLOADS_with_recovery()
    {
        var (client, _, line) = Observation(11, 23, 1236);
        line.Drop = text => text is "< 2.05 T1 ET=23 O:1236 QB2:1/1/1024" or "< 2.05 T1 ET=23 O:1236 QB2:9/1/1024" or "< 2.05 T2 ET=23 QB2:1/1/1024";

        line.Run();

        line.Log.Skip(1).Should().Equal(Sorted([
            .. Blocks("0.05", 1236, 23, 0, 0), "0.05 < 2.05 T1 O:1236 ET=23 QB2:1/1/1024 X", .. Blocks("0.05", 1236, 23, 2, 8),
            "0.05 < 2.05 T1 O:1236 ET=23 QB2:9/1/1024 X", .. Blocks("2.05", 1236, 23, 10, 10, last: 10),
            "2.10 > GET T2 QB2:1/0/1024 QB2:9/0/1024", "2.15 < 2.05 T2 ET=23 QB2:1/1/1024 X", .. Blocks("2.15", 0, 23, 9, 9, token: 2),
            "6.20 > GET T3 QB2:1/0/1024", .. Blocks("6.25", 0, 23, 1, 1, token: 3)]));
        client.Results.Should().ContainSingle().Which.Body.Should().Equal(Body(11, 1));
    }

    //   |<---------+ NON 2.05 M:0xb1 T:0xf0 O:1237 ET=24 QB2:0/1/1024
    //   |<---------+ NON 2.05 M:0xb2 T:0xf0 O:1237 ET=24 QB2:1/1/1024
    //   |     X<---+ NON 2.05 M:0xb3 T:0xf0 O:1237 ET=24 QB2:2/1/1024      (and 3 to 9)
    //   |   ...    |   [[NON_TIMEOUT_RANDOM (server) delay expires]]
    //   |     X<---+ NON 2.05 M:0xba T:0xf0 O:1237 ET=24 QB2:10/0/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT (client) delay expires]]
    //   +--------->| NON GET /path M:0x06 T:0xf5 QB2:2/1/1024
    //   |<---------+ NON 2.05 M:0xbb T:0xf5 ET=24 QB2:2/1/1024             (and 3 to 9)
    //   +--------->| NON GET /path M:0x87 T:0xf6 QB2:10/1/1024
    //   |<---------+ NON 2.05 M:0xc3 T:0xf0 O:1237 ET=24 QB2:10/0/1024
    [Fact]
    [Trait("RFC", "9177 10.2.4")]
    [Trait("RFC", "9177 4.4")]
    public void Figure_11_handling_recovery_using_M_bit_set()
    {
        var (client, _, line) = Observation(11, 24, 1237);
        line.Drop = text => line.Now < 3 && text[0] == '<' && !text.Contains("QB2:0/", StringComparison.Ordinal) && !text.Contains("QB2:1/", StringComparison.Ordinal);

        line.Run();

        line.Log.Skip(12).Should().Equal(Sorted([
            "4.10 > GET T2 QB2:2/1/1024", .. Blocks("4.15", 0, 24, 2, 9, token: 2), "4.20 > GET T3 QB2:10/1/1024",
            .. Blocks("4.25", 1237, 24, 10, 10, last: 10)]));
        line.Log.Count(text => text.EndsWith('X')).Should().Be(9);
        client.Results.Should().ContainSingle().Which.Body.Should().Equal(Body(11, 1));
    }
}
