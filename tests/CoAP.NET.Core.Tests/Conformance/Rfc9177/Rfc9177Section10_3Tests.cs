namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>The flows of RFC 9177, section 10.3: Q-Block1 and Q-Block2 in one exchange. 50 ms each way, NON_TIMEOUT_RANDOM of 2 s.</summary>
/// <remarks>
/// Where the figures leave the Request-Tag out of a Continue (10.3.2), ours has it, as the requests for missing blocks in 10.3.3 have: it tells
/// two FETCH requests apart.
/// </remarks>
public class Rfc9177Section10_3Tests
{
    private static byte[] Body(int blocks, byte seed) => [.. Enumerable.Range(0, (blocks * 1024) - 24).Select(index => (byte)(seed + (index * 7 / 3)))];

    private static string[] Up(string time, int tag, int firstToken, int last, params int[] blocks) =>
        [.. blocks.Select((block, index) => $"{time} > FETCH T{firstToken + index} RT={tag} O:0 QB1:{block}/{(block == last ? 0 : 1)}/1024")];

    private static string[] Down(string time, int observe, int tag, int token, int last, params int[] blocks) =>
        [.. blocks.Select(block => $"{time} < 2.05 T{token} ET={tag}{(observe > 0 ? $" O:{observe}" : "")} QB2:{block}/{(block == last ? 0 : 1)}/1024")];

    private static (RobustClientEnd, RobustServerEnd, RobustLine) Fetch(int up, int down, byte requestTag, byte tag, uint observe)
    {
        var client = new RobustClientEnd(RequestCode.Fetch, Body(up, 3), requestTag, observe: true);
        var server = new RobustServerEnd(Body(down, 1), tag, observe);
        return (client, server, new RobustLine(client, server));
    }

    //   +--------->| NON FETCH /path M:0x10 T:0x90 O:0 RT=30 QB1:0/1/1024
    //   +--------->| NON FETCH /path M:0x11 T:0x91 O:0 RT=30 QB1:1/1/1024
    //   +--------->| NON FETCH /path M:0x12 T:0x93 O:0 RT=30 QB1:2/0/1024
    //   |<---------+ NON 2.05 M:0x60 T:0x93 O:1320 ET=90 QB2:0/1/1024      (and 1, 2, 3/0)
    //   |     [[Observe triggered]]
    //   |<---------+ NON 2.05 M:0x64 T:0x93 O:1321 ET=91 QB2:0/1/1024      (and 1, 2, 3/0)
    [Fact]
    [Trait("RFC", "9177 10.3.1")]
    [Trait("RFC", "9177 4.7")]
    public void Figure_12_a_simple_example()
    {
        var (client, server, line) = Fetch(3, 4, 30, 90, 1320);

        line.Run(until: 1);
        server.Notify(Body(4, 2), 91, 1321, RobustLine.Ticks(1));
        line.Run();

        line.Log.Should().Equal([
            .. Up("0.00", 30, 1, 2, 0, 1, 2), .. Down("0.05", 1320, 90, 3, 3, 0, 1, 2, 3), .. Down("1.00", 1321, 91, 3, 3, 0, 1, 2, 3)]);
        server.Bodies.Should().ContainSingle().Which.Should().Equal(Body(3, 3));
        client.Results.Select(result => result.Body).Should().BeEquivalentTo([Body(4, 1), Body(4, 2)], rule => rule.WithStrictOrdering());
    }

    //   +--------->| NON FETCH /path M:0x30 T:0xa0 O:0 RT=10 QB1:0/1/1024  (and 1 to 9)
    //   |<---------+ NON 2.31 M:0x80 T:0xa9
    //   +--------->| NON FETCH /path M:0x3a T:0xaa O:0 RT=10 QB1:10/0/1024
    //   |<---------+ NON 2.05 M:0x81 T:0xaa O:1334 ET=21 QB2:0/1/1024      (and 1 to 9)
    //   +--------->| NON FETCH /path M:0x3b T:0xab QB2:10/1/1024
    //   |<---------+ NON 2.05 M:0x8b T:0xaa O:1334 ET=21 QB2:10/0/1024
    //   |     [[Observe triggered]]
    //   |<---------+ NON 2.05 M:0x8c T:0xaa O:1335 ET=22 QB2:0/1/1024      (and 1 to 9)
    //   +--------->| NON FETCH /path M:0x3c T:0xac QB2:10/1/1024
    //   |<---------+ NON 2.05 M:0x96 T:0xaa O:1335 ET=22 QB2:10/0/1024
    [Fact]
    [Trait("RFC", "9177 10.3.2")]
    [Trait("RFC", "9177 7.2")]
    public void Figure_13_handling_MAX_PAYLOADS_limits()
    {
        var (client, server, line) = Fetch(11, 11, 10, 21, 1334);
        int[] set = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

        line.Run(until: 1);
        server.Notify(Body(11, 2), 22, 1335, RobustLine.Ticks(1));
        line.Run();

        line.Log.Should().Equal([
            .. Up("0.00", 10, 1, 10, set), "0.05 < 2.31 T10 QB1:9/1/1024", .. Up("0.10", 10, 11, 10, 10), .. Down("0.15", 1334, 21, 11, 10, set),
            "0.20 > FETCH T12 RT=10 QB2:10/1/1024", .. Down("0.25", 1334, 21, 11, 10, 10), .. Down("1.00", 1335, 22, 11, 10, set),
            "1.05 > FETCH T13 RT=10 QB2:10/1/1024", .. Down("1.10", 1335, 22, 11, 10, 10)]);
        client.Results.Select(result => result.Body).Should().BeEquivalentTo([Body(11, 1), Body(11, 2)], rule => rule.WithStrictOrdering());
    }

    //   +--------->| NON FETCH /path M:0x50 T:0xc0 O:0 RT=31 QB1:0/1/1024
    //   +--->X     | NON FETCH /path M:0x51 T:0xc1 O:0 RT=31 QB1:1/1/1024
    //   +--->X     | NON FETCH /path M:0x52 T:0xc2 O:0 RT=31 QB1:2/1/1024
    //   +--------->| NON FETCH /path M:0x53 T:0xc3 O:0 RT=31 QB1:3/0/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT (server) delay expires]]
    //   |<---------+ NON 4.08 M:0xa0 T:0xc3 [Missing 1,2]
    //   +--------->| NON FETCH /path M:0x54 T:0xc4 O:0 RT=31 QB1:1/1/1024
    //   +--------->| NON FETCH /path M:0x55 T:0xc5 O:0 RT=31 QB1:2/1/1024
    //   |<---------+ NON 2.05 M:0xa1 T:0xc3 O:1236 ET=23 QB2:0/1/1024
    //   |     X<---+ NON 2.05 M:0xa2 T:0xc3 O:1236 ET=23 QB2:1/1/1024
    //   |<---------+ NON 2.05 M:0xa3 T:0xc3 O:1236 ET=23 QB2:2/1/1024
    //   |     X<---+ NON 2.05 M:0xa4 T:0xc3 O:1236 ET=23 QB2:3/0/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT (client) delay expires]]
    //   +--------->| NON FETCH /path M:0x56 T:0xc6 RT=31 QB2:1/0/1024 QB2:3/0/1024
    //   |     X<---+ NON 2.05 M:0xa5 T:0xc6 ET=23 QB2:1/1/1024
    //   |<---------+ NON 2.05 M:0xa6 T:0xc6 ET=23 QB2:3/0/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT (client) delay expires]]
    //   +--------->| NON FETCH /path M:0x57 T:0xc7 RT=31 QB2:1/0/1024
    //   |<---------+ NON 2.05 M:0xa7 T:0xc7 ET=23 QB2:1/1/1024
    // The answer uses the token of the last request that came (T6), which section 4.3 calls desirable; the figure has T:0xc3.
    [Fact]
    [Trait("RFC", "9177 10.3.3")]
    [Trait("RFC", "9177 5")]
    public void Figures_14_to_16_handling_recovery()
    {
        var (client, _, line) = Fetch(4, 4, 31, 23, 1236);
        string[] lost = ["> FETCH T2 RT=31 O:0 QB1:1", "> FETCH T3 RT=31 O:0 QB1:2", "< 2.05 T6 ET=23 O:1236 QB2:1", "< 2.05 T6 ET=23 O:1236 QB2:3", "< 2.05 T7 ET=23 QB2:1"];
        line.Drop = text => lost.Any(start => text.StartsWith(start, StringComparison.Ordinal));

        line.Run();

        line.Log.Skip(4).Should().Equal([
            "4.05 < 4.08 T4 [Missing 1,2]", .. Up("4.10", 31, 5, 3, 1, 2),
            .. Down("4.15", 1236, 23, 6, 3, 0, 1, 2, 3).Select((text, index) => index is 1 or 3 ? text + " X" : text),
            "8.20 > FETCH T7 RT=31 QB2:1/0/1024 QB2:3/0/1024", Down("8.25", 0, 23, 7, 3, 1)[0] + " X", .. Down("8.25", 0, 23, 7, 3, 3),
            "12.30 > FETCH T8 RT=31 QB2:1/0/1024", .. Down("12.35", 0, 23, 8, 3, 1)]);
        client.Results.Should().ContainSingle().Which.Body.Should().Equal(Body(4, 1));
    }
}
