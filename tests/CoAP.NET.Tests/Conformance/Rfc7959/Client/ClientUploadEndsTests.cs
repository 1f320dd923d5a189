using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>
/// An upload stops where it fails, and the caller sees the code (RFC 7959, sections 2.5 and 2.9). The library that this one replaces went on
/// sending after 4.08 and 4.13.
/// </summary>
public sealed class ClientUploadEndsTests : ClientBlocksUnderTest
{
    public ClientUploadEndsTests()
        : base(new ClientTransferSettings { BlockSize = 64 })
    {
    }

    // CLIENT                                                     SERVER
    //   | CON, PUT, /options, 1:0/1/64                 ------>     |
    //   | <------   ACK, 2.31 Continue, 1:0/1/64                   |
    //   | CON, PUT, /options, 1:1/1/64                 ------>     |
    //   | <------   ACK, 4.08 Request Entity Incomplete            |
    //   |                (nothing more)                            |
    [Theory, Trait("RFC", "7959 2.9.2"), Trait("RFC", "7959 2.9.3")]
    [InlineData("4.08"), InlineData("4.13"), InlineData("4.00"), InlineData("4.02"), InlineData("5.03")]
    public void An_error_in_the_middle_ends_the_transfer_and_no_further_block_is_sent(string code)
    {
        var call = Put(300);

        Continue(0, 300);
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 1/1/64}} '{Part(300, 1, 64)}'");
        Server.Send($"ACK [B] {code} (Token U) {{Block1: 1/1/64}} 'no'");

        ExpectNothingLeft();
        (call.Answer().Code.ToString(), call.Answer().PayloadText).Should().Be((code, "no"));
    }

    [Theory, Trait("RFC", "7959 2.9.2"), Trait("RFC", "7959 2.9.3")]
    [InlineData("4.08"), InlineData("4.13")]
    public void An_error_to_the_last_block_is_the_outcome(string code)
    {
        var call = Put(100);

        Continue(0, 100);
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 1/0/64}} '{Part(100, 1, 64)}'");
        Server.Send($"ACK [B] {code} (Token U)");

        ExpectNothingLeft();
        call.Answer().Code.ToString().Should().Be(code);
    }

    [Fact, Trait("RFC", "7959 2.9.3"), Trait("RFC", "7252 5.10.9")]
    public void A_4_13_that_says_how_large_a_body_may_be_is_the_outcome_and_says_it_to_the_caller()
    {
        var call = Put(300);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/64, Size1: 300}} '{Part(300, 0, 64)}'");
        Server.Send("ACK [A] 4.13 Request Entity Too Large (Token T) {Block1: 0/1/32, Size1: 200}");

        ExpectNothingLeft();
        call.Answer().Options.Get<Size1>().Should().Be(new Size1(200));
    }

    // CLIENT                                                     SERVER
    //   | CON, PUT, /options, 1:0/1/64                 ------>     |
    //   | <------   ACK, 4.13 Request Entity Too Large, 1:0/1/32   |
    //   | CON, PUT, /options, 1:0/1/32                 ------>     |
    //   | <------   ACK, 2.31 Continue, 1:0/1/32                   |
    //   | CON, PUT, /options, 1:1/1/32                 ------>     |
    //   | <------   ACK, 4.13 Request Entity Too Large, 1:1/1/16   |
    //   |                (nothing more)                            |
    [Fact, Trait("RFC", "7959 2.9.3")]
    public void A_4_13_to_the_first_block_with_a_smaller_size_is_tried_with_that_size_once()
    {
        var call = Put(90);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/64, Size1: 90}} '{Part(90, 0, 64)}'");
        Server.Send("ACK [A] 4.13 Request Entity Too Large (Token T) {Block1: 0/1/32}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 0/1/32, Size1: 90}} '{Part(90, 0, 32)}'");
        Server.Send("ACK [B] 4.13 Request Entity Too Large (Token U) {Block1: 0/1/16}");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.RequestEntityTooLarge);
    }

    [Theory, Trait("RFC", "7959 2.9.3")]
    [InlineData("", 32), InlineData(" {Block1: 0/0/16}", 16), InlineData(" {Size1: 60}", 32)]
    [InlineData(" {Size1: 59}", 32), InlineData(" {Size1: 31}", 16), InlineData(" {Size1: 16}", 16), InlineData(" {Block1: 0/0/16, Size1: 32}", 16)]
    public void A_4_13_to_a_body_in_one_message_is_tried_in_blocks(string options, int size)
    {
        var call = Put(60);

        Server.Expect($"CON [A] PUT /options (Token T) '{Text(60)}'");
        Server.Send($"ACK [A] 4.13 Request Entity Too Large (Token T){options}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 0/1/{size}, Size1: 60}} '{Part(60, 0, size)}'");
        Server.Send("ACK [B] 4.13 Request Entity Too Large (Token U)");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.RequestEntityTooLarge);
    }

    // There is no smaller block, and the server cannot mean one.
    [Theory, Trait("RFC", "7252 5.9.2.9")]
    [InlineData(0), InlineData(15)]
    public void A_4_13_that_leaves_no_room_for_a_block_is_the_outcome(int most)
    {
        var call = Put(60);

        Server.Expect($"CON [A] PUT /options (Token T) '{Text(60)}'");
        Server.Send($"ACK [A] 4.13 Request Entity Too Large (Token T) {{Size1: {most}}}");

        ExpectNothingLeft();
        call.Answer().Options.Get<Size1>().Should().Be(new Size1((uint)most));
    }

    [Theory, Trait("RFC", "7959 2.3")]
    [InlineData("2.31 Continue", "{Block1: 1/1/64}", "*acknowledged block*")]
    [InlineData("2.31 Continue", "{Block1: 7/1/16}", "*acknowledged block*")]
    [InlineData("2.31 Continue", "{Size2: 1}", "*without Block1*")]
    [InlineData("2.04 Changed", "{Size2: 1}", "*without Block1*")]
    public void An_acknowledgement_of_another_block_breaks_the_transfer(string code, string options, string reason)
    {
        var call = Put(300);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/64, Size1: 300}} '{Part(300, 0, 64)}'");
        Server.Send($"ACK [A] {code} (Token T) {options}");

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage(reason);
    }

    [Fact, Trait("RFC", "7959 2.9.1")]
    public void A_2_31_to_the_last_block_breaks_the_transfer()
    {
        var call = Put(100);

        Continue(0, 100);
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 1/0/64}} '{Part(100, 1, 64)}'");
        Server.Send("ACK [B] 2.31 Continue (Token U) {Block1: 1/1/64}");

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage("*last block*");
    }

    [Fact, Trait("RFC", "7959 2.3")]
    public void A_larger_size_of_the_servers_changes_nothing_and_a_smaller_one_holds_from_then_on()
    {
        var call = Put(200);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/64, Size1: 200}} '{Part(200, 0, 64)}'");
        Server.Send("ACK [A] 2.31 Continue (Token T) {Block1: 0/1/1024}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Block1: 1/1/64}} '{Part(200, 1, 64)}'");
        Server.Send("ACK [B] 2.31 Continue (Token U) {Block1: 4/1/16}");
        for (var number = 8; number < 13; number++) { Small(number); }

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Changed);

        void Small(int number)
        {
            Server.Expect($"CON [C{number}] PUT /options (Token V{number}) {{Block1: {number}/{(number < 12 ? 1 : 0)}/16}} '{Part(200, number, 16)}'");
            Server.Send($"ACK [C{number}] {(number < 12 ? "2.31 Continue" : "2.04 Changed")} (Token V{number}) {{Block1: {number}/1/16}}");
        }
    }

    private void Continue(int number, int length)
    {
        var first = number == 0 ? $", Size1: {length}" : "";
        Server.Expect($"CON [A{number}] PUT /options (Token T{number}) {{Block1: {number}/1/64{first}}} '{Part(length, number, 64)}'");
        Server.Send($"ACK [A{number}] 2.31 Continue (Token T{number}) {{Block1: {number}/1/64}}");
    }
}
