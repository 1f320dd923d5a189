using CoAP.Blockwise;
using CoAP.Options;
using static CoAP.Tests.Blockwise.Transfers;

namespace CoAP.Tests.Blockwise;

/// <summary>Sizes of blocks, beginnings, and what keeps bodies apart.</summary>
public sealed class RequestBodiesSizeTests
{
    private readonly BodyBudget _budget = Budget();

    [Fact, Trait("RFC", "7959 2.3")]
    public void The_size_may_shrink_in_the_middle_and_numbers_count_in_the_new_one()
    {
        var cut = new RequestBodies(Limits with { Preferred = BlockSize.AtMost(32) }, _budget);

        Acknowledged(cut.Receive(Key(), Block(0, true, 128), Body(128), null, false, 0)).Should().Be(Block(0, true, 32));
        Acknowledged(cut.Receive(Key(), Block(4, true, 32), Body(160).AsMemory(128), null, false, 0)).Should().Be(Block(4, true, 32));
        var last = cut.Receive(Key(), Block(10, false, 16), Body(170).AsMemory(160), null, false, 0);

        last.Should().BeOfType<ReceiveOutcome.Complete>().Which.Body.ToArray().Should().Equal(Body(170));
    }

    [Fact, Trait("RFC", "7959 2.3")]
    public void A_client_may_ignore_the_requested_smaller_block_size()
    {
        var cut = new RequestBodies(Limits with { Preferred = BlockSize.Smallest }, _budget);
        cut.Receive(Key(), Block(0, true, 64), Body(64), null, false, 0);

        var last = cut.Receive(Key(), Block(1, false, 64), Body(100).AsMemory(64), null, false, 0);

        last.Should().BeOfType<ReceiveOutcome.Complete>().Which.Body.ToArray().Should().Equal(Body(100));
    }

    [Fact, Trait("RFC", "7959 2.3")]
    public void A_changed_size_with_a_number_of_the_old_one_is_4_08()
    {
        var cut = new RequestBodies(Limits, _budget);
        cut.Receive(Key(), Block(0, true, 128), Body(128), null, false, 0);

        cut.Receive(Key(), Block(1, true, 32), Body(160).AsMemory(128), null, false, 0)
            .Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete);
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void Block_0_begins_anew()
    {
        var cut = new RequestBodies(Limits, _budget);
        cut.Receive(Key(), Block(0, true, 16), new byte[16], null, false, 0);
        cut.Receive(Key(), Block(1, true, 16), new byte[16], null, false, 0);

        cut.Receive(Key(), Block(0, true, 16), Body(16), null, false, 0);
        var last = cut.Receive(Key(), Block(1, false, 16), Body(20).AsMemory(16), null, false, 0);

        last.Should().BeOfType<ReceiveOutcome.Complete>().Which.Body.ToArray().Should().Equal(Body(20));
        _budget.Bytes.Should().Be(0);
    }

    [Fact, Trait("RFC", "9175 3.3"), Trait("RFC", "9175 3.5.2"), Trait("RFC", "9175 3.2.1")]
    public void Bodies_with_different_Request_Tags_are_kept_apart()
    {
        var cut = new RequestBodies(Limits, _budget);
        foreach (var tag in new[] { "01", "02" }) { cut.Receive(Key(tag: tag), Block(0, true, 16), Filled(tag), null, false, 0); }
        foreach (var tag in new[] { "02", "01" })
        {
            var last = cut.Receive(Key(tag: tag), Block(1, false, 16), Filled(tag), null, false, 0);

            last.Should().BeOfType<ReceiveOutcome.Complete>().Which.Body.ToArray().Should().OnlyContain(octet => octet == byte.Parse(tag));
        }
        cut.Count.Should().Be(0);
    }

    [Fact, Trait("RFC", "7959 2.3")]
    public void Blocks_of_another_Content_Format_are_not_put_together()
    {
        var cut = new RequestBodies(Limits, _budget);
        cut.Receive(Key(more: new ContentFormat(0)), Block(0, true, 16), Body(16), null, false, 0);

        cut.Receive(Key(more: new ContentFormat(50)), Block(1, false, 16), Body(1), null, false, 0)
            .Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete);
    }

    [Theory, Trait("RFC", "9175 3.3"), Trait("RFC", "7252 5.4.2")]
    [InlineData("Size1", true), InlineData("Size2", true), InlineData("Block2", true), InlineData("Echo", true), InlineData("If-Match", false), InlineData("Uri-Query", false)]
    public void Only_options_outside_the_cache_key_may_differ_between_blocks(string option, bool mayDiffer)
    {
        CoapOption[] options = [new Size1(20), new Size2(0), new Block2(0, false, 2), new Echo(new byte[] { 1 }), new IfMatch(new byte[] { 1 }), new UriQuery("x")];
        var named = options.Single(one => one.GetType().Name == option.Replace("-", "", StringComparison.Ordinal));

        Key(more: named).Equals(Key()).Should().Be(mayDiffer);
    }

    [Fact, Trait("RFC", "8323 6")]
    public void Over_connections_one_message_has_several_blocks()
    {
        var limits = Limits with { MaxBodySize = 20_000 };
        var cut = new RequestBodies(limits, _budget);
        var roomy = new RequestBodies(limits, Budget(20_000, limits));

        Acknowledged(roomy.Receive(Key(), new Block1(0, true, 7), Body(2048), null, true, 0)).Should().Be(new Block1(0, true, 7));
        var last = roomy.Receive(Key(), new Block1(2, false, 7), Body(5000).AsMemory(2048), null, true, 0);

        last.Should().BeOfType<ReceiveOutcome.Complete>().Which.Body.ToArray().Should().Equal(Body(5000));
        cut.Receive(Key(), new Block1(0, true, 7), new byte[1500], null, true, 0)
            .Should().BeOfType<ReceiveOutcome.Rejected>("a part that is not the last one has whole blocks").Which.Code.Should().Be(ResponseCode.BadRequest);
    }

    [Fact, Trait("RFC", "7959 7")]
    public void An_announced_size_takes_no_memory()
    {
        var cut = new RequestBodies(Limits, _budget);

        cut.Receive(Key(), Block(0, true, 16), Body(16), announced: 1000, false, 0);

        _budget.Bytes.Should().BeLessThan(300);
    }

    private static byte[] Filled(string tag) => [.. Enumerable.Repeat(byte.Parse(tag), 16)];

    private static Block1 Acknowledged(ReceiveOutcome outcome) => outcome.Should().BeOfType<ReceiveOutcome.Continue>().Which.Acknowledgement;
}
