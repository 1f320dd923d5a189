using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise.Robust;

public class RobustRulesTests
{
    private static readonly RequestTag Tag = new(new byte[] { 1 });

    private static QBlock2[] Asked(params string[] blocks) => [.. blocks.Select(block => block.Split('/')).Select(parts =>
        new QBlock2(int.Parse(parts[0], null), parts[1] == "1", 6))];

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void Both_kinds_of_block_options_in_one_message_are_a_bad_option()
    {
        RobustRules.Refusal([new QBlock1(0, true, 6), Tag, new Size1(2000), new Block2(0, false, 6)]).Should().Be(ResponseCode.BadOption);
        RobustRules.Refusal([new QBlock2(0, true, 6), new Block1(0, false, 6)]).Should().Be(ResponseCode.BadOption);
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_request_with_Q_Block1_needs_Request_Tag_and_Size1()
    {
        RobustRules.Refusal([new QBlock1(0, true, 6), new Size1(2000)]).Should().Be(ResponseCode.BadRequest);
        RobustRules.Refusal([new QBlock1(0, true, 6), Tag]).Should().Be(ResponseCode.BadRequest);
        RobustRules.Refusal([new QBlock1(0, true, 6), Tag, new Size1(2000)]).Should().BeNull();
    }

    [Fact]
    [Trait("RFC", "9177 4.2")]
    public void The_reserved_size_is_a_bad_request()
    {
        RobustRules.Refusal([new QBlock1(0, true, 7), Tag, new Size1(2000)]).Should().Be(ResponseCode.BadRequest);
        RobustRules.Refusal([new QBlock2(0, true, 7)]).Should().Be(ResponseCode.BadRequest);
    }

    [Theory]
    [InlineData("3/0", "1/0")]
    [InlineData("1/0", "1/0")]
    [InlineData("1/0", "1/1")]
    [Trait("RFC", "9177 4.4")]
    public void Missing_blocks_that_do_not_ascend_are_a_bad_request(params string[] blocks) =>
        RobustRules.Refusal(OptionSet.Empty.With(Asked(blocks))).Should().Be(ResponseCode.BadRequest);

    [Theory]
    [InlineData(new[] { "1/0", "9/0" }, new[] { 1, 9 })]
    [InlineData(new[] { "7/1" }, new[] { 7, 8, 9 })]
    [InlineData(new[] { "7/1", "8/0" }, new[] { 7, 8, 9 })]
    [InlineData(new[] { "11/1" }, new[] { 11, 12 })]
    [InlineData(new[] { "12/0", "13/0", "900000/0" }, new[] { 12 })]
    [InlineData(new[] { "0/1", "1/1", "2/1", "10/1" }, new[] { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 })]
    [Trait("RFC", "9177 4.4")]
    public void Each_block_is_asked_for_once_and_of_MAX_PAYLOADS_at_most(string[] blocks, int[] expected) =>
        RobustRules.Expand(Asked(blocks), 10, 13).Should().Equal(expected);

    [Theory]
    [InlineData(new[] { 1 }, "1/0")]
    [InlineData(new[] { 1, 9 }, "1/0 9/0")]
    [InlineData(new[] { 2, 3, 4, 5, 6, 7, 8, 9 }, "2/1")]
    [InlineData(new[] { 11, 12 }, "11/1")]
    [InlineData(new[] { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "0/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0 9/0")]
    [InlineData(new[] { 8, 9, 10, 11 }, "8/0 9/0 10/0 11/0")]
    [Trait("RFC", "9177 10.2.4")]
    public void A_run_to_the_end_of_its_set_is_asked_for_by_the_bit_M(int[] numbers, string expected)
    {
        var options = RobustRules.Condense(numbers, 10, 13, BlockSize.Largest);

        string.Join(' ', options.Select(option => $"{option.BlockNumber}/{(option.HasMore ? 1 : 0)}")).Should().Be(expected);
        RobustRules.Expand(options, 10, 13).Should().Equal(numbers);
    }
}
