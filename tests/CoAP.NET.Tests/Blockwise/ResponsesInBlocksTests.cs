using System.Globalization;
using CoAP.Tests.Conformance;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Blockwise;

/// <summary>Responses in blocks: random access, changes on the way, and what cannot be sent.</summary>
public sealed class ResponsesInBlocksTests() : BlockServerUnderTest(new ServerTransferSettings { PreferredBlockSize = 128, MaxDatagramPayload = 128, MaxBodySize = 2000, MaxTotalSize = 12_200 })
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    [Fact, Trait("RFC", "7959 2.4")]
    public void A_block_can_be_asked_for_without_the_first_one()
    {
        Get(1, "3/0/64", $"2.05 Content {{ETag: 0x01, Block2: 3/1/64}} '{Part(340, 3, 64)}'");
        Get(2, "1/0/64", $"2.05 Content {{ETag: 0x01, Block2: 1/1/64}} '{Part(340, 1, 64)}'");
        Reads.Should().Be(1);
        Get(3, "5/0/64", $"2.05 Content {{ETag: 0x01, Block2: 5/0/64}} '{Part(340, 5, 64)}'");
        Get(4, "0/0/64", $"2.05 Content {{ETag: 0x01, Block2: 0/1/64, Size2: 340}} '{Part(340, 0, 64)}'");

        Reads.Should().Be(2);
    }

    [Fact, Trait("RFC", "7959 2.4")]
    public void When_the_kept_body_is_gone_the_handler_is_asked_again()
    {
        Get(1, "0/0/64", $"2.05 Content {{ETag: 0x01, Block2: 0/1/64, Size2: 340}} '{Part(340, 0, 64)}'");
        Client.ExpectNothing(seconds: 233);
        Server.Leftovers.Should().Be(Nothing);

        Get(2, "1/0/64", $"2.05 Content {{ETag: 0x01, Block2: 1/1/64}} '{Part(340, 1, 64)}'");

        Reads.Should().Be(2);
    }

    [Theory]
    [InlineData("6/0/64"), InlineData("1048575/0/1024"), InlineData("1048575/0/16")]
    public void A_block_behind_the_end_is_4_00(string block)
    {
        Get(1, block, "4.00 '*'");
        Get(2, "0/0/64", $"2.05 Content {{ETag: 0x01, Block2: 0/1/64, Size2: 340}} '{Part(340, 0, 64)}'");
        Get(3, block, "4.00 '*'");
    }

    [Theory, Trait("RFC", "7959 2.4")]
    [InlineData(64, "0/0/64"), InlineData(1, "0/0/64"), InlineData(65, "0/1/64")]
    public void A_body_that_fits_into_the_wished_block_is_the_last_one_at_once(int length, string block)
    {
        Status = Text(length);

        var size = length > 64 ? $", Size2: {length}" : "";
        Get(1, "0/0/64", $"2.05 Content {{ETag: 0x01, Block2: {block}{size}}} '{Part(length, 0, 64)}'");
    }

    [Fact, Trait("RFC", "7959 4")]
    public void The_size_is_said_with_every_block_that_asks_for_it()
    {
        Client.Send("CON [0x0001] GET /status {Block2: 1/0/64, Size2: 0}");
        Client.Expect($"ACK [0x0001] 2.05 Content {{ETag: 0x01, Block2: 1/1/64, Size2: 340}} '{Part(340, 1, 64)}'");
        Client.Send("CON [0x0002] GET /status {Block2: 2/0/64, Size2: 0}");
        Client.Expect($"ACK [0x0002] 2.05 Content {{ETag: 0x01, Block2: 2/1/64, Size2: 340}} '{Part(340, 2, 64)}'");
    }

    [Fact]
    public void A_response_larger_than_what_is_kept_is_5_00()
    {
        Status = Text(2001);

        Get(1, "0/0/64", "5.00 '*'");
        Server.Log.Lines(LogLevel.Warning).Should().Contain(line => line.Contains("2001", StringComparison.Ordinal));
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    public void The_rest_of_a_response_that_cannot_be_made_again_is_4_08_when_it_is_gone()
    {
        Client.Send("CON [0x0001] POST /soap?n=400 'once'");
        Client.Expect($"ACK [0x0001] 2.04 Changed {{ETag: E, Block2: 0/1/128, Size2: 400}} '{Part(400, 0, 128)}'");
        Client.ExpectNothing(seconds: 233);

        Client.Send("CON [0x0002] POST /soap?n=400 {Block2: 1/0/128}");

        Client.Expect("ACK [0x0002] 4.08 '*'");
        Bodies.Should().Equal("once");
    }

    [Fact]
    public void A_response_that_cannot_be_kept_nor_made_again_is_5_00_and_others_wait()
    {
        for (var id = 1; id <= 2; id++)
        {
            Client.Send($"CON [0x{id:x4}] POST /soap?n=1900 {{Request-Tag: 0x{id:x2}}} 'x'");
            Client.Expect($"ACK [0x{id:x4}] 2.04 Changed {{ETag: {(id == 1 ? "E" : "F")}, Block2: 0/1/128, Size2: 1900}} '*'");
        }
        Client.Send("CON [0x0003] POST /soap?n=1900 {Request-Tag: 0x03} 'x'");
        Client.Expect("ACK [0x0003] 5.00 '*'");
        Client.Send("CON [0x0004] GET /status");
        Client.Expect("ACK [0x0004] 5.03 {Max-Age: 232}");

        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "8132 2.5"), Trait("RFC", "8132 2.1")]
    public void A_FETCH_is_asked_for_block_by_block_with_or_without_its_payload()
    {
        Client.Send("CON [0x0001] FETCH /fetch 'a'");
        Client.Expect($"ACK [0x0001] 2.05 Content {{ETag: {Made(1)}, Block2: 0/1/128, Size2: 300}} '{new string('a', 128)}'");
        Client.Send("CON [0x0002] FETCH /fetch {Block2: 1/0/128}");
        Client.Expect($"ACK [0x0002] 2.05 Content {{ETag: {Made(1)}, Block2: 1/1/128}} '{new string('a', 128)}'");
        Client.Send("CON [0x0003] FETCH /fetch {Block2: 1/0/128} 'b'");
        Client.Expect($"ACK [0x0003] 2.05 Content {{ETag: {Made(3)}, Block2: 1/1/128}} '{new string('b', 128)}'");

        Made(1).Should().NotBe(Made(3));
        Bodies.Should().Equal("a", "b");
    }

    [Fact, Trait("RFC", "9175 3.8")]
    public void The_same_bytes_in_another_format_have_another_ETag()
    {
        var wire = new Wire(new ManualClock());
        using var client = ScriptedPeer.Client(wire);
        using var server = LaneEnd.Server(wire, map => map.At("f").Get(request => Response.Content(new byte[2000], request.Accept!.Value), HandlerMode.Inline));
        var tags = new HashSet<string>();

        for (var format = 40; format < 45; format++)
        {
            client.Send($"CON [0x{format:x4}] GET /f {{Accept: {format}}}");
            var answer = WireMessage.Read(Answer(client, $"ACK [0x{format:x4}] 2.05"));
            tags.Add(Hex.Text(answer.Options.Single(option => option.Number == 4).Value));
        }

        tags.Should().HaveCount(5);
    }

    [Fact]
    public void Errors_of_the_handler_go_as_they_are_whatever_block_was_asked_for()
    {
        Client.Send("CON [0x0001] GET /nowhere {Block2: 3/0/64}");

        Client.Expect("ACK [0x0001] 4.04");
    }

    // RFC 7959, section 2.2: a number has 20 bits.
    [Fact, Trait("RFC", "7959 2.2")]
    public void A_body_with_too_many_blocks_of_the_wished_size_is_4_13_before_anything_is_sent()
    {
        var wire = new Wire(new ManualClock());
        var limits = new CoapServerSettings { ServerTransfers = new() { MaxBodySize = 32 << 20, MaxTotalSize = 128 << 20 } };
        using var client = ScriptedPeer.Client(wire);
        using var server = LaneEnd.Server(wire, map => map.At("b").Get(_ => new CoapResponse(ResponseCode.Content) { Payload = new byte[(16 << 20) + 1] }, HandlerMode.Inline), limits);

        client.Send("CON [0x0001] GET /b {Block2: 0/0/16}");
        client.Expect("ACK [0x0001] 4.13 '*'");

        client.Send("CON [0x0002] GET /b {Block2: 524288/0/32}");
        WireMessage.Read(Answer(client, "ACK [0x0002] 2.05")).Options.Should().ContainSingle(option => option.Number == 23);
    }

    private static byte[] Answer(ScriptedPeer client, string start)
    {
        try { client.Expect(start); }
        catch (ScriptException) { client.LastBytes[1].Should().Be(0x45, "the answer is 2.05"); }
        return client.LastBytes;
    }

    // The ETag that the nth answer has.
    private string Made(int nth)
    {
        var sent = Wire.Sent(Direction.ToClient);
        if (sent.Count < nth) { Wire.RunUntil(() => Wire.Sent(Direction.ToClient).Count >= nth); }
        var bytes = Wire.Sent(Direction.ToClient)[nth - 1].Bytes;
        return "0x" + Hex.Text(WireMessage.Read(bytes).Options.Single(option => option.Number == 4).Value).ToLower(CultureInfo.InvariantCulture);
    }

    private void Get(int id, string block, string answer)
    {
        Client.Send($"CON [0x{id:x4}] GET /status {{Block2: {block}}}");
        Client.Expect($"ACK [0x{id:x4}] {answer}");
    }
}
