using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.3: blocks in both directions of one request, with our client in them.</summary>
public sealed class ClientSection3_3Tests : ClientBlocksUnderTest
{
    public ClientSection3_3Tests()
        : base(new ClientTransferSettings { BlockSize = 128 })
    {
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], POST, /soap, 1:0/1/128      ------>          |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/128           |
    //   | CON [MID=1235], POST, /soap, 1:1/1/128      ------>          |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:1/1/128           |
    //   | CON [MID=1236], POST, /soap, 1:2/0/128      ------>          |
    //   | <------   ACK [MID=1236], 2.04 Changed, 2:0/1/128, 1:2/0/128 |
    //   | CON [MID=1237], POST, /soap, 2:1/0/128      ------>          |
    //   | (no payload for requests with Block2 with NUM != 0)          |
    //   | <------   ACK [MID=1237], 2.04 Changed, 2:1/1/128            |
    //   | CON [MID=1238], POST, /soap, 2:2/0/128      ------>          |
    //   | <------   ACK [MID=1238], 2.04 Changed, 2:2/1/128            |
    //   | CON [MID=1239], POST, /soap, 2:3/0/128      ------>          |
    //   | <------   ACK [MID=1239], 2.04 Changed, 2:3/0/128            |
    [Fact, Trait("RFC", "7959 3.3"), Trait("RFC", "7959 2.7")]
    public void Figure_10_Atomic_block_wise_POST_with_block_wise_response()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Post, "/soap") { Payload = Body(300) });

        Upload(0, 128);
        Upload(1, 128);
        Server.Expect($"CON [M] POST /soap (Token T) {{Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Server.Send($"ACK [M] 2.04 Changed (Token T) {{Block2: 0/1/128, Block1: 2/0/128}} '{Part(400, 0, 128)}'");
        for (var number = 1; number < 4; number++) { Download(number, 400, 128); }

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Changed);
        call.Answer().PayloadText.Should().Be(Text(400));
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], POST, /soap, 1:0/1/128 ------>               |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/128           |
    //   | CON [MID=1235], POST, /soap, 1:1/1/128 ------>               |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:1/1/128           |
    //   | CON [MID=1236], POST, /soap, 1:2/0/128, 2:0/0/64 ------>     |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:2/0/128, 2:0/1/64  |
    //   | CON [MID=1237], POST, /soap, 2:1/0/64      ------>           |
    //   | (no payload for requests with Block2 with NUM != 0)          |
    //   | <------   ACK [MID=1237], 2.04 Changed, 2:1/1/64             |
    //   | CON [MID=1238], POST, /soap, 2:2/0/64      ------>           |
    //   | <------   ACK [MID=1238], 2.04 Changed, 2:2/1/64             |
    //   | CON [MID=1239], POST, /soap, 2:3/0/64      ------>           |
    //   | <------   ACK [MID=1239], 2.04 Changed, 2:3/0/64             |
    // One preference holds for both directions of ours, so that both are 64 bytes here.
    [Fact, Trait("RFC", "7959 3.3"), Trait("RFC", "7959 2.7")]
    public void Figure_11_Atomic_block_wise_POST_with_early_negotiation_of_the_response()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Post, "/soap") { Payload = Body(150), PreferredBlockSize = 64 });

        Upload(0, 64, length: 150);
        Upload(1, 64, length: 150);
        Server.Expect($"CON [M] POST /soap (Token T) {{Block2: 0/0/64, Block1: 2/0/64}} '{Part(150, 2, 64)}'");
        Server.Send($"ACK [M] 2.04 Changed (Token T) {{Block2: 0/1/64, Block1: 2/0/64}} '{Part(200, 0, 64)}'");
        for (var number = 1; number < 4; number++) { Download(number, 200, 64); }

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(200));
    }

    private void Upload(int number, int size, int length = 300)
    {
        var first = number == 0 ? $", Size1: {length}" : "";
        Server.Expect($"CON [U{number}] POST /soap (Token S{number}) {{Block1: {number}/1/{size}{first}}} '{Part(length, number, size)}'");
        Server.Send($"ACK [U{number}] 2.31 Continue (Token S{number}) {{Block1: {number}/1/{size}}}");
    }

    private void Download(int number, int length, int size)
    {
        var more = (number + 1) * size < length ? 1 : 0;
        Server.Expect($"CON [D{number}] POST /soap (Token R{number}) {{Block2: {number}/0/{size}}}");
        Server.Send($"ACK [D{number}] 2.04 Changed (Token R{number}) {{Block2: {number}/{more}/{size}}} '{Part(length, number, size)}'");
    }
}
