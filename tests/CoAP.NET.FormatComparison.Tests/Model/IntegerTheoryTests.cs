using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Model;

public sealed class IntegerTheoryTests
{
    [Fact]
    public void The_documents_mean_lengths_follow_from_its_table_2()
    {
        Math.Round(IntegerTheory.DocumentDigits, 4).Should().Be(9.4826);
        Math.Round(IntegerTheory.DocumentText, 4).Should().Be(9.9826);
        IntegerTheory.DocumentDigits.Should().Be(20_363_725_380 / 2_147_483_648.0);
        ((IntegerTheory.DocumentText / 4) - 1).Should().BeApproximately(1.4956, 0.0001, "the document says that text is 149.56 % larger");
    }

    [Fact]
    public void The_rows_of_table_2_are_those_of_the_document()
    {
        IntegerTheory.DocumentRows.Should().HaveCount(10);
        IntegerTheory.DocumentRows[0].Should().Be((0, 9, 10, 1));
        IntegerTheory.DocumentRows[1].Should().Be((10, 99, 90, 2));
        IntegerTheory.DocumentRows[8].Should().Be((100_000_000, 999_999_999, 900_000_000, 9));
        IntegerTheory.DocumentRows[9].Should().Be((1_000_000_000, 2_147_483_648, 1_147_483_649, 10));
    }

    [Fact]
    public void The_exact_mean_of_text_differs_from_the_documents_by_less_than_a_millionth()
    {
        // Zero has no negative counterpart, and -2^31 no positive one.
        IntegerTheory.Text.Should().Be((20_363_725_370 + 20_363_725_379 + 2_147_483_648) / 4_294_967_296.0);
        IntegerTheory.Text.Should().BeApproximately(IntegerTheory.DocumentText, 1e-6);
    }

    [Fact]
    public void The_means_of_the_binary_formats_are_those_of_their_ranges()
    {
        const double All = 4_294_967_296;

        IntegerTheory.Cbor.Should().Be(((48 * 1) + (464 * 2) + ((131_072 - 512) * 3L) + ((4_294_967_296 - 131_072) * 5)) / All);
        IntegerTheory.MessagePack.Should().Be(((160 * 1) + ((384 - 160) * 2) + ((98_304 - 384) * 3L) + ((4_294_967_296 - 98_304) * 5)) / All);
        IntegerTheory.ZigZag.Should().Be(
            ((128 * 1) + ((16_384 - 128) * 2) + ((2_097_152 - 16_384) * 3L) + ((268_435_456 - 2_097_152) * 4L)
                + ((4_294_967_296 - 268_435_456) * 5)) / All);
    }

    [Fact]
    public void A_sample_of_random_integers_has_the_computed_mean_length()
    {
        var values = new IntSequence(42, 100_000).ToArray();

        values.Average(static value => value.ToString(System.Globalization.CultureInfo.InvariantCulture).Length)
            .Should().BeApproximately(IntegerTheory.Text, 0.01);
    }
}
