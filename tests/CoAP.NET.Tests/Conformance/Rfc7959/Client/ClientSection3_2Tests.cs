using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.2: requests in blocks, with our client in them. Size1 is said though the figures leave it out.</summary>
public sealed class ClientSection3_2Tests : ClientBlocksUnderTest
{
    public ClientSection3_2Tests()
        : base(new ClientTransferSettings { BlockSize = 128 })
    {
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], PUT, /options, 1:0/1/128    ------>      |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/128       |
    //   | CON [MID=1235], PUT, /options, 1:1/1/128    ------>      |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:1/1/128       |
    //   | CON [MID=1236], PUT, /options, 1:2/0/128    ------>      |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:2/0/128        |
    [Fact, Trait("RFC", "7959 3.2"), Trait("RFC", "7959 2.5"), Trait("RFC", "7959 4")]
    public void Figure_7_Simple_atomic_block_wise_PUT()
    {
        var call = Put(300);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/128, Size1: 300}} '{Part(300, 0, 128)}'");
        Server.Send("ACK [A] 2.31 Continue (Token T) {Block1: 0/1/128}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Server.Send("ACK [B] 2.31 Continue (Token U) {Block1: 1/1/128}");
        Server.Expect($"CON [C] PUT /options (Token V) {{Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Server.Send("ACK [C] 2.04 Changed (Token V) {Block1: 2/0/128}");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], PUT, /options, 1:0/1/128    ------>      |
    //   | <------   ACK [MID=1234], 2.04 Changed, 1:0/0/128        |
    //   | CON [MID=1235], PUT, /options, 1:1/1/128    ------>      |
    //   | <------   ACK [MID=1235], 2.04 Changed, 1:1/0/128        |
    //   | CON [MID=1236], PUT, /options, 1:2/0/128    ------>      |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:2/0/128        |
    [Fact, Trait("RFC", "7959 3.2"), Trait("RFC", "7959 2.3")]
    public void Figure_8_Simple_stateless_block_wise_PUT()
    {
        var call = Put(300);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/128, Size1: 300}} '{Part(300, 0, 128)}'");
        Server.Send("ACK [A] 2.04 Changed (Token T) {Block1: 0/0/128}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Server.Send("ACK [B] 2.04 Changed (Token U) {Block1: 1/0/128}");
        Server.Expect($"CON [C] PUT /options (Token V) {{Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Server.Send("ACK [C] 2.04 Changed (Token V) {Block1: 2/0/128}");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], PUT, /options, 1:0/1/128    ------>      |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/32        |
    //   | CON [MID=1235], PUT, /options, 1:4/1/32     ------>      |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:4/1/32        |
    //   | CON [MID=1236], PUT, /options, 1:5/1/32     ------>      |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:5/1/32        |
    //   | CON [MID=1237], PUT, /options, 1:6/0/32     ------>      |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:6/0/32         |
    [Fact, Trait("RFC", "7959 3.2"), Trait("RFC", "7959 2.5")]
    public void Figure_9_Simple_atomic_block_wise_PUT_with_negotiation()
    {
        var call = Put(220);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/128, Size1: 220}} '{Part(220, 0, 128)}'");
        Server.Send("ACK [A] 2.31 Continue (Token T) {Block1: 0/1/32}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 4/1/32}} '{Part(220, 4, 32)}'");
        Server.Send("ACK [B] 2.31 Continue (Token U) {Block1: 4/1/32}");
        Server.Expect($"CON [C] PUT /options (Token V) {{Block1: 5/1/32}} '{Part(220, 5, 32)}'");
        Server.Send("ACK [C] 2.31 Continue (Token V) {Block1: 5/1/32}");
        Server.Expect($"CON [D] PUT /options (Token W) {{Block1: 6/0/32}} '{Part(220, 6, 32)}'");
        Server.Send("ACK [D] 2.04 Changed (Token W) {Block1: 6/0/32}");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }
}
