using CoAP.Blockwise;
using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise.Robust;

public class MissingBlocksTests
{
    private static int[]? Read(string hex, int room = 16)
    {
        var numbers = new int[room];
        return MissingBlocks.TryRead(Convert.FromHexString(hex), numbers, out var count) ? numbers[..count] : null;
    }

    [Theory]
    [InlineData("")]                        // "[+ missing-block-number]": at least one
    [InlineData("20")]                      // -1
    [InlineData("4101")]                    // a byte string
    [InlineData("80")]                      // an array
    [InlineData("8101")]                    // the numbers in an array
    [InlineData("9f01ff")]                  // an array of indefinite length
    [InlineData("c101")]                    // a tag
    [InlineData("f4")]                      // false
    [InlineData("f93c00")]                  // 1.0
    [InlineData("1c")]                      // reserved
    [InlineData("1f")]                      // indefinite
    [InlineData("18")]                      // cut off
    [InlineData("1900")]
    [InlineData("1a000000")]
    [InlineData("1b00000000000000")]
    [InlineData("0101")]                    // twice
    [InlineData("0201")]                    // descending
    [InlineData("1a00100000")]              // 2^20
    [InlineData("1affffffff")]
    [InlineData("1bffffffffffffffff")]
    [InlineData("011bffffffffffffffff")]
    [Trait("RFC", "9177 5")]
    public void Block_numbers_that_do_not_ascend_are_rejected(string hex) => Read(hex).Should().BeNull();

    [Theory]
    [InlineData("00", new[] { 0 })]
    [InlineData("001718181900ff1901001a000fffff", new[] { 0, 23, 24, 255, 256, 1_048_575 })]
    [InlineData("1b0000000000000005", new[] { 5 })]     // longer than need be, which RFC 8949 allows
    [Trait("RFC", "9177 5")]
    public void Numbers_of_any_length_are_read(string hex, int[] expected) => Read(hex).Should().Equal(expected);

    [Fact]
    public void Block_numbers_beyond_the_buffer_are_validated_but_not_returned()
    {
        Read("000102", room: 2).Should().Equal(0, 1);
        Read("000100", room: 2).Should().BeNull();
    }

    [Fact]
    [Trait("RFC", "9177 5")]
    public void Numbers_are_written_in_the_shortest_form()
    {
        var bytes = MissingBlocks.Write([0, 23, 24, 255, 256, 65_535, 65_536, 1_048_575], 100);

        Hex.Text(bytes).Should().Be("00" + "17" + "1818" + "18ff" + "190100" + "19ffff" + "1a00010000" + "1a000fffff");
    }

    [Fact]
    [Trait("RFC", "9177 5")]
    public void Block_numbers_that_exceed_the_size_limit_are_not_written()
    {
        Hex.Text(MissingBlocks.Write([1, 24, 256], 5)).Should().Be("011818");
        MissingBlocks.Write([300], 2).Should().BeEmpty();
    }

    [Fact]
    public void Random_bytes_are_rejected_or_give_ascending_numbers()
    {
        for (var seed = 0; seed < 5_000; seed++)
        {
            var random = new Random(seed);
            var bytes = new byte[random.Next(1, 40)];
            random.NextBytes(bytes);
            if (seed % 2 == 0) { bytes.AsSpan().Replace((byte)200, (byte)1); }
            var numbers = new int[40];

            if (!MissingBlocks.TryRead(bytes, numbers, out var count)) { continue; }

            numbers[..count].Should().BeInAscendingOrder($"seed {seed}").And.OnlyHaveUniqueItems().And.OnlyContain(number => number < 1 << 20);
        }
    }
}
