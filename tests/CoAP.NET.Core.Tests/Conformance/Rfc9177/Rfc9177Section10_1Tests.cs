namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>The flows of RFC 9177, section 10.1: Q-Block1. The times are those of a wire with 50 ms each way and NON_TIMEOUT_RANDOM of 2 s.</summary>
public class Rfc9177Section10_1Tests
{
    private static byte[] Body(int blocks) => [.. Enumerable.Range(0, (blocks * 1024) - 24).Select(index => (byte)(index * 7 / 3))];

    private static string[] Puts(string time, int tag, int firstToken, params int[] blocks) =>
        [.. blocks.Select((block, index) => $"{time} > PUT T{firstToken + index} RT={tag} QB1:{block}/1/1024")];

    // Client      Server
    //   +--------->| NON PUT /path M:0x81 T:0xc0 RT=9 QB1:0/1/1024
    //   +--------->| NON PUT /path M:0x82 T:0xc1 RT=9 QB1:1/1/1024
    //   +--------->| NON PUT /path M:0x83 T:0xc2 RT=9 QB1:2/1/1024
    //   +--------->| NON PUT /path M:0x84 T:0xc3 RT=9 QB1:3/0/1024
    //   |<---------+ NON 2.04 M:0xf1 T:0xc3
    [Fact]
    [Trait("RFC", "9177 10.1.1")]
    [Trait("RFC", "9177 4.3")]
    public void Figure_3_a_simple_example()
    {
        var (client, server) = (new RobustClientEnd(RequestCode.Put, Body(4), tag: 9), new RobustServerEnd());
        var line = new RobustLine(client, server);

        line.Run();

        line.Log.Should().Equal([.. Puts("0.00", 9, 1, 0, 1, 2), "0.00 > PUT T4 RT=9 QB1:3/0/1024", "0.05 < 2.04 T4"]);
        server.Bodies.Should().ContainSingle().Which.Should().Equal(Body(4));
        client.Results.Should().ContainSingle().Which.Outcome.IsComplete.Should().BeTrue();
    }

    //   +--------->| NON PUT /path M:0x01 T:0xf1 RT=10 QB1:0/1/1024
    //   +--------->| [[Payloads 2 - 9 not detailed]]
    //   +--------->| NON PUT /path M:0x0a T:0xfa RT=10 QB1:9/1/1024
    //   |     [[MAX_PAYLOADS_SET receipt acknowledged by server]]
    //   |<---------+ NON 2.31 M:0x81 T:0xfa
    //   +--------->| NON PUT /path M:0x0b T:0xfb RT=10 QB1:10/0/1024
    //   |<---------+ NON 2.04 M:0x82 T:0xfb
    [Fact]
    [Trait("RFC", "9177 10.1.2")]
    [Trait("RFC", "9177 7.2")]
    public void Figure_4_handling_MAX_PAYLOADS_limits()
    {
        var (client, server) = (new RobustClientEnd(RequestCode.Put, Body(11), tag: 10), new RobustServerEnd());
        var line = new RobustLine(client, server);

        line.Run();

        line.Log.Should().Equal([
            .. Puts("0.00", 10, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "0.05 < 2.31 T10 QB1:9/1/1024",
            "0.10 > PUT T11 RT=10 QB1:10/0/1024", "0.15 < 2.04 T11"]);
        server.Bodies.Should().ContainSingle().Which.Should().Equal(Body(11));
    }

    //   +--------->| NON PUT /path M:0x11 T:0xe1 RT=11 QB1:0/1/1024
    //   +--->X     | NON PUT /path M:0x12 T:0xe2 RT=11 QB1:1/1/1024
    //   +--------->| [[Payloads 3 - 9 not detailed]]
    //   +--->X     | NON PUT /path M:0x1a T:0xea RT=11 QB1:9/1/1024
    //   |   ...    |   [[NON_TIMEOUT_RANDOM (client) delay expires]]
    //   +--->X     | NON PUT /path M:0x1b T:0xeb RT=11 QB1:10/1/1024
    //   +--------->| NON PUT /path M:0x1c T:0xec RT=11 QB1:11/1/1024
    //   |<---------+ NON 4.08 M:0x91 T:0xec [Missing 1,9]
    //   +--------->| NON PUT /path M:0x1d T:0xed RT=11 QB1:1/1/1024
    //   +--------->| NON PUT /path M:0x1e T:0xee RT=11 QB1:9/1/1024
    //   +--------->| NON PUT /path M:0x1f T:0xef RT=11 QB1:12/0/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT (server) delay expires]]
    //   |<---------+ NON 4.08 M:0x92 T:0xef [Missing 10]
    //   +--------->| NON PUT /path M:0x20 T:0xf0 RT=11 QB1:10/1/1024
    //   |<---------+ NON 2.04 M:0x93 T:0xf0
    // Here block 12 is on its way before the 4.08 arrives: nothing paces the blocks within a set.
    [Fact]
    [Trait("RFC", "9177 10.1.3")]
    [Trait("RFC", "9177 5")]
    public void Figures_5_and_6_handling_MAX_PAYLOADS_with_recovery()
    {
        var (client, server) = (new RobustClientEnd(RequestCode.Put, Body(13), tag: 11), new RobustServerEnd());
        var line = new RobustLine(client, server) { Drop = text => IsOneOf(text, "T2 ", "T10 ", "T11 ") };

        line.Run();

        line.Log.Should().Equal([
            "0.00 > PUT T1 RT=11 QB1:0/1/1024", "0.00 > PUT T2 RT=11 QB1:1/1/1024 X", .. Puts("0.00", 11, 3, 2, 3, 4, 5, 6, 7, 8),
            "0.00 > PUT T10 RT=11 QB1:9/1/1024 X", "2.00 > PUT T11 RT=11 QB1:10/1/1024 X", "2.00 > PUT T12 RT=11 QB1:11/1/1024",
            "2.00 > PUT T13 RT=11 QB1:12/0/1024", "2.05 < 4.08 T12 [Missing 1,9]", .. Puts("2.10", 11, 14, 1, 9),
            "6.15 < 4.08 T15 [Missing 10]", "6.20 > PUT T16 RT=11 QB1:10/1/1024", "6.25 < 2.04 T16"]);
        server.Bodies.Should().ContainSingle().Which.Should().Equal(Body(13));
    }

    //   +--------->| NON PUT /path M:0x91 T:0xd0 RT=12 QB1:0/1/1024
    //   +--->X     | NON PUT /path M:0x92 T:0xd1 RT=12 QB1:1/1/1024
    //   +--------->| NON PUT /path M:0x93 T:0xd2 RT=12 QB1:2/0/1024
    //   |   ...    |   [[NON_RECEIVE_TIMEOUT, then 2, 4 and 8 times that]]
    //   |<---------+ NON 4.08 M:0x01 T:0xd2 [Missing 1]      (four times)
    //   |   ...    |   [[16 * NON_RECEIVE_TIMEOUT (server) delay expires]]
    //   |     [[NON_MAX_RETRANSMIT exceeded. Server releases partial body]]
    // The figure does not say why block 1 never comes; here the 4.08 are lost.
    [Fact]
    [Trait("RFC", "9177 10.1.4")]
    [Trait("RFC", "9177 7.2")]
    public void Figure_7_handling_recovery_with_failure()
    {
        var (client, server) = (new RobustClientEnd(RequestCode.Post, Body(3), tag: 12), new RobustServerEnd());
        var line = new RobustLine(client, server) { Drop = text => text.Contains("QB1:1/", StringComparison.Ordinal) || text[0] == '<' };

        line.Run();

        line.Log.Skip(3).Should().Equal(
            "4.05 < 4.08 T3 [Missing 1] X", "12.05 < 4.08 T3 [Missing 1] X", "28.05 < 4.08 T3 [Missing 1] X", "60.05 < 4.08 T3 [Missing 1] X");
        server.HasGivenUp.Should().BeTrue();
        server.Bodies.Should().BeEmpty();
        client.HasTimedOut.Should().BeTrue();
    }

    private static bool IsOneOf(string text, params string[] tokens) => tokens.Any(token => text.Contains(token, StringComparison.Ordinal));
}
