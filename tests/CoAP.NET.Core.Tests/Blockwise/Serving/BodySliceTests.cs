using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise;

public sealed class BodySliceTests
{
    [Theory, Trait("RFC", "7959 2.4")]
    [InlineData(0, 64, 128, 0, 64, "0/1/64"), InlineData(0, 1024, 128, 0, 128, "0/1/128"), InlineData(5, 64, 128, 320, 20, "5/0/64")]
    [InlineData(1, 256, 128, 256, 84, "2/0/128"), InlineData(20, 16, 16, 320, 16, "20/1/16"), InlineData(21, 16, 16, 336, 4, "21/0/16")]
    public void A_block_is_cut_out_at_the_place_that_was_asked_for(int number, int wished, int most, int offset, int length, string block)
    {
        var wish = new Block2(number, false, BlockSize.AtMost(wished).Exponent);

        var slice = BodySlice.Cut(340, wish, BodySlice.Agree(wish, BlockSize.AtMost(most)), bytes: 0)!.Value;

        slice.Offset.Should().Be(offset);
        slice.Length.Should().Be(length);
        slice.Block.ToString().Should().Be($"Block2: {block}");
    }

    [Theory]
    [InlineData(340, 6, 64, false), InlineData(320, 5, 64, false), InlineData(321, 5, 64, true), InlineData(0, 1, 16, false), InlineData(0, 0, 16, true)]
    public void No_block_exists_beyond_the_end(int total, int number, int size, bool isThere)
    {
        var wish = new Block2(number, false, BlockSize.AtMost(size).Exponent);

        BodySlice.Cut(total, wish, BlockSize.Of(wish), 0).HasValue.Should().Be(isThere);
    }

    [Fact, Trait("RFC", "7959 2.2")]
    public void A_place_that_our_smaller_size_has_no_number_for_is_no_block()
    {
        var wish = new Block2(BlockSize.MaxNumber, false, 6);

        BodySlice.Cut(long.MaxValue / 2, wish, BlockSize.Smallest, 0).Should().BeNull();
    }

    // RFC 8323, figure "GET with BERT blocks", with messages of 3,072 bytes.
    [Theory, Trait("RFC", "8323 6")]
    [InlineData(0, 0, 3072, true), InlineData(3, 3072, 3072, true), InlineData(12, 12_288, 615, false)]
    public void Over_connections_a_message_has_as_many_blocks_as_fit(int number, int offset, int length, bool hasMore)
    {
        var wish = new Block2(number, false, 7);

        var slice = BodySlice.Cut(12_903, wish, BlockSize.Bert, bytes: 3072)!.Value;

        slice.Should().Be(new BodySlice(offset, length, new Block2(number, hasMore, 7)));
    }
}
