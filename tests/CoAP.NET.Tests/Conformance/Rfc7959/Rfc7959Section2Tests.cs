namespace CoAP.Tests.Conformance;

/// <summary>The bit M and the place of block options, as our server takes and gives them (RFC 7959, sections 2.2 to 2.4).</summary>
public sealed class Rfc7959Section2Tests : BlockServerUnderTest
{
    [Fact, Trait("RFC", "7959 2.2"), Trait("RFC", "7959 2.4")]
    public void The_bit_M_of_Block2_in_a_request_is_ignored()
    {
        Client.Send("CON [0x0001] GET /status {Block2: 1/1/64}");

        Client.Expect($"ACK [0x0001] 2.05 Content {{ETag: 0x01, Block2: 1/1/64}} '{Part(340, 1, 64)}'");
    }

    [Fact, Trait("RFC", "7959 2.3")]
    public void A_response_that_asks_for_more_has_no_Block2()
    {
        Client.Send($"CON [0x0001] POST /soap?n=100 {{Block2: 0/0/64, Block1: 0/1/128}} '{Part(200, 0, 128)}'");
        Client.Expect("ACK [0x0001] 2.31 Continue {Block1: 0/1/128}");
        Client.Send($"CON [0x0002] POST /soap?n=100 {{Block2: 0/0/64, Block1: 1/0/128}} '{Part(200, 1, 128)}'");

        Client.Expect($"ACK [0x0002] 2.04 Changed {{ETag: E, Block2: 0/1/64, Block1: 1/0/128, Size2: 100}} '{Part(100, 0, 64)}'");
    }

    [Fact, Trait("RFC", "7959 7")]
    public void A_block_of_another_endpoint_does_not_enter_a_body()
    {
        using var stranger = ScriptedPeer.Client(Wire, "stranger");
        Client.Send($"CON [0x0001] PUT /options {{Block1: 0/1/128}} '{Part(200, 0, 128)}'");
        Client.Expect("ACK [0x0001] 2.31 Continue {Block1: 0/1/128}");
        stranger.Send("CON [0x0001] PUT /options {Block1: 1/0/128} 'forged'");
        stranger.Expect("ACK [0x0001] 4.08 '*'");
        Client.Send($"CON [0x0002] PUT /options {{Block1: 1/0/128}} '{Part(200, 1, 128)}'");

        Client.Expect("ACK [0x0002] 2.04 Changed {Block1: 1/0/128}");
        Bodies.Should().Equal(Text(200));
    }
}
