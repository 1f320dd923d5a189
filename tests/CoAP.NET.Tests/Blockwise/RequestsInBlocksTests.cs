using CoAP.Tests.Conformance;

namespace CoAP.Tests.Blockwise;

/// <summary>What becomes of requests in blocks that break off, are too large or break the rules. After each refusal the transfer is over.</summary>
public sealed class RequestsInBlocksTests() : BlockServerUnderTest(new ServerTransferSettings { PreferredBlockSize = 128, MaxBodySize = 500, MaxBodiesPerPeer = 2 })
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    // The library that this one replaces went on after 4.08 and 4.13: it acted on what it had.
    [Fact, Trait("RFC", "7959 2.9.2")]
    public void After_a_missing_block_nothing_of_the_body_reaches_the_handler()
    {
        Put(1, "0/1/128", Part(300, 0, 128), "2.31 Continue {Block1: 0/1/128}");
        Put(2, "2/0/128", Part(300, 2, 128), "4.08 '*'");
        Put(3, "1/1/128", Part(300, 1, 128), "4.08 '*'");
        Put(4, "2/0/128", Part(300, 2, 128), "4.08 '*'");

        Client.ExpectNothing(seconds: 600);
        Bodies.Should().BeEmpty();
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7959 2.9.3")]
    public void After_4_13_nothing_of_the_body_reaches_the_handler()
    {
        for (var number = 0; number < 3; number++) { Put(number, $"{number}/1/128", Part(600, number, 128), $"2.31 Continue {{Block1: {number}/1/128}}"); }
        Put(3, "3/1/128", Part(600, 3, 128), "4.13 {Size1: 500} '*'");
        Put(4, "4/0/128", Part(600, 4, 128), "4.08 '*'");

        Bodies.Should().BeEmpty();
        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7959 4"), Trait("RFC", "7959 2.9.3")]
    public void An_announced_size_that_is_too_large_is_refused_with_the_first_block()
    {
        Client.Send($"CON [0x0001] PUT /options {{Block1: 0/1/128, Size1: 501}} '{Part(600, 0, 128)}'");

        Client.Expect("ACK [0x0001] 4.13 {Size1: 500} '*'");
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void A_body_whose_client_is_silent_for_EXCHANGE_LIFETIME_is_forgotten()
    {
        Put(1, "0/1/128", Part(300, 0, 128), "2.31 Continue {Block1: 0/1/128}");
        Client.ExpectNothing(seconds: 231.9);
        Put(2, "1/1/128", Part(300, 1, 128), "2.31 Continue {Block1: 1/1/128}");
        Client.ExpectNothing(seconds: 232.1);
        Server.Leftovers.Should().Be(Nothing);

        Put(3, "2/0/128", Part(300, 2, 128), "4.08 '*'");

        Bodies.Should().BeEmpty();
    }

    [Fact, Trait("RFC", "9175 3.3")]
    public void A_third_body_at_the_same_time_is_refused_with_the_time_to_wait()
    {
        Start(1, "0x01");
        Start(2, "0x02");

        Client.Send($"CON [0x0003] PUT /options {{Block1: 0/1/128, Request-Tag: 0x03}} '{Part(300, 0, 128)}'");
        Client.Expect("ACK [0x0003] 5.03 {Max-Age: 232} '*'");

        Client.ExpectNothing(seconds: 232);
        Start(4, "0x04");
    }

    [Fact, Trait("RFC", "9175 3.5.2")]
    public void Interleaved_bodies_of_one_client_are_kept_apart_by_their_Request_Tags()
    {
        Start(1, "0x01");
        Start(2, "0x02");
        foreach (var (id, tag) in new[] { (3, "0x02"), (4, "0x01") })
        {
            Client.Send($"CON [0x{id:x4}] PUT /options {{Block1: 1/0/128, Request-Tag: {tag}}} 'the rest of {tag}'");
            Client.Expect($"ACK [0x{id:x4}] 2.04 Changed {{Block1: 1/0/128}}");
        }

        Bodies.Should().Equal(Part(300, 0, 128) + "the rest of 0x02", Part(300, 0, 128) + "the rest of 0x01");
    }

    [Fact, Trait("RFC", "7959 2.2")]
    public void The_reserved_size_is_4_00()
    {
        Put(1, "0/1/BERT", Text(1024), "4.00 '*'");
        Client.Send("CON [0x0002] GET /status {Block2: 0/0/BERT}");
        Client.Expect("ACK [0x0002] 4.00 '*'");
        Client.Send("CON [0x0003] PUT /nowhere {Block1: 0/0/BERT} 'a'");
        Client.Expect("ACK [0x0003] 4.00 '*'");
    }

    [Theory, Trait("RFC", "7959 2.3")]
    [InlineData("0/1/128", 127), InlineData("0/1/128", 129), InlineData("0/0/64", 65)]
    public void A_payload_of_another_length_than_its_size_is_4_00(string block, int length) => Put(1, block, Text(length), "4.00 '*'");

    [Theory, Trait("RFC", "7959 2.1"), Trait("RFC", "7252 5.4.5")]
    [InlineData("GET /status {Block1: 0/1/16}"), InlineData("DELETE /options {Block1: 0/0/16}"), InlineData("PUT /options {Block2: 1/0/16, Block1: 0/1/16} '0123456789abcdef'")]
    [InlineData("PUT /options {Block1: 0/1/16, Block1: 1/1/16} '0123456789abcdef'"), InlineData("PUT /options {27: 0x00000008} '0123456789abcdef'")]
    public void A_Block_option_in_the_wrong_place_is_4_02(string request)
    {
        Client.Send($"CON [0x0001] {request}");

        Client.Expect("ACK [0x0001] 4.02 {Content-Format: 257} '*'");
        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Theory]
    [InlineData("PUT /nowhere", "4.04"), InlineData("PUT /status", "4.05")]
    public void A_request_that_no_handler_would_process_is_refused_at_the_first_block(string request, string code)
    {
        Client.Send($"CON [0x0001] {request} {{Block1: 0/1/16}} '0123456789abcdef'");

        Client.Expect($"ACK [0x0001] {code}");
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    public void The_handlers_refusal_ends_the_last_block()
    {
        Client.Send("CON [0x0001] PUT /refused {Block1: 0/1/16} '0123456789abcdef'");
        Client.Expect("ACK [0x0001] 2.31 Continue {Block1: 0/1/16}");
        Client.Send("CON [0x0002] PUT /refused {Block1: 1/0/16} 'ghi'");
        Client.Expect("ACK [0x0002] 4.03 {Block1: 1/0/16} 'not here'");
    }

    [Fact, Trait("RFC", "7252 4.5")]
    public void A_duplicate_of_a_block_gets_the_same_answer_and_is_not_appended()
    {
        Put(1, "0/1/128", Part(300, 0, 128), "2.31 Continue {Block1: 0/1/128}");
        for (var i = 0; i < 3; i++) { Put(2, "1/1/128", Part(300, 1, 128), "2.31 Continue {Block1: 1/1/128}"); }
        for (var i = 0; i < 3; i++) { Put(3, "2/0/128", Part(300, 2, 128), "2.04 Changed {Block1: 2/0/128}"); }

        Bodies.Should().Equal(Text(300));
    }

    [Fact]
    public void The_last_block_in_a_new_message_is_answered_again_and_not_appended()
    {
        Put(1, "0/1/128", Part(300, 0, 128), "2.31 Continue {Block1: 0/1/128}");
        Put(2, "1/1/128", Part(300, 1, 128), "2.31 Continue {Block1: 1/1/128}");
        Put(3, "1/1/128", Part(300, 1, 128), "2.31 Continue {Block1: 1/1/128}");
        Put(4, "2/0/128", Part(300, 2, 128), "2.04 Changed {Block1: 2/0/128}");

        Bodies.Should().Equal(Text(300));
    }

    [Fact]
    public void Non_confirmable_blocks_get_non_confirmable_answers()
    {
        Client.Send($"NON [0x0001] PUT /options (Token 0x0a) {{Block1: 0/1/128}} '{Part(200, 0, 128)}'");
        Client.Expect("NON [A] 2.31 Continue (Token 0x0a) {Block1: 0/1/128}");
        Client.Send($"NON [0x0002] PUT /options (Token 0x0b) {{Block1: 1/0/128}} '{Part(200, 1, 128)}'");
        Client.Expect("NON [B] 2.04 Changed (Token 0x0b) {Block1: 1/0/128}");

        Bodies.Should().Equal(Text(200));
    }

    private void Start(int id, string tag)
    {
        Client.Send($"CON [0x{id:x4}] PUT /options {{Block1: 0/1/128, Request-Tag: {tag}}} '{Part(300, 0, 128)}'");
        Client.Expect($"ACK [0x{id:x4}] 2.31 Continue {{Block1: 0/1/128}}");
    }

    private void Put(int id, string block, string payload, string answer)
    {
        Client.Send($"CON [0x{id:x4}] PUT /options {{Block1: {block}}} '{payload}'");
        Client.Expect($"ACK [0x{id:x4}] {answer}");
    }
}
