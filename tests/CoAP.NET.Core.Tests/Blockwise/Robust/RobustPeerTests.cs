using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise.Robust;

public class RobustPeerTests
{
    private static readonly RobustTransferSettings Settings = RobustTransferSettings.Default;

    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    private static CoapMessage Response(CoapCode code, params ReadOnlySpan<CoapOption> options) => new() { Code = code, Options = [.. options] };

    [Theory]
    [InlineData(4, 2, false)]
    [InlineData(4, 4, null)]
    [InlineData(4, 5, null)]
    [InlineData(2, 5, null)]
    [Trait("RFC", "9177 4.1")]
    public void A_response_without_Q_Block2_shows_nothing_unless_it_is_4_02(int codeClass, int detail, bool? expected)
    {
        var cut = default(RobustSupport);

        cut.OnAnswer(Response(new CoapCode(codeClass, detail)), Settings, now: 0);

        cut.At(0).Should().Be(expected);
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_response_with_Q_Block2_shows_the_support()
    {
        var cut = default(RobustSupport);

        cut.OnAnswer(Response(ResponseCode.Content, new QBlock2(0, false, 0)), Settings, now: 0);

        cut.At(0).Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_peer_that_answers_with_RFC_7959_blocks_is_remembered_as_not_supporting_Q_Block()
    {
        var cut = default(RobustSupport);

        cut.OnAnswer(Response(ResponseCode.Content, new Block2(0, true, 6)), Settings, now: 0);

        cut.At(0).Should().BeFalse();
    }

    [Fact]
    public void Known_support_expires_after_its_lifetime()
    {
        var cut = default(RobustSupport);
        cut.At(0).Should().BeNull();

        cut.OnNoAnswer(Settings, now: 0);

        cut.At(Seconds(3599)).Should().BeFalse();
        cut.At(Seconds(3600)).Should().BeNull();
    }

    // 100 bytes at 1 byte a second; more than NON_PROBING_WAIT, 248 seconds, is never waited for.
    [Theory]
    [InlineData(100, 100)]
    [InlineData(1_000_000, 248)]
    [Trait("RFC", "9177 7.2")]
    public void After_a_body_that_nobody_answered_the_next_one_waits_as_PROBING_RATE_says(long length, double expected)
    {
        var cut = default(BodyPause);
        cut.StartAt(Seconds(7)).Should().Be(Seconds(7));

        cut.Begin(length, probingRate: 1, Settings, Seconds(7));

        cut.StartAt(Seconds(8)).Should().Be(Seconds(7 + expected));
        cut.Heard();
        cut.StartAt(Seconds(8)).Should().Be(Seconds(8));
    }

    [Fact]
    [Trait("RFC", "9177 6")]
    public void A_series_knows_which_tokens_are_later_than_a_body()
    {
        var cut = new TokenSeries(0xFFFF_FFFF_0000_0001);
        var (before, used, after) = (cut.Next(), cut.Used, cut.Next());

        cut.ContainsAfter(used, before).Should().BeFalse();
        cut.ContainsAfter(used, after).Should().BeTrue();
        cut.ContainsAfter(used, new Token(after.Inline + (1UL << 32), 8)).Should().BeFalse("it was not given out");
    }

    [Fact]
    [Trait("RFC", "9177 6")]
    public void A_series_knows_its_own_tokens_and_no_others()
    {
        var (cut, other) = (new TokenSeries(0xFFFF_FFFF_0000_0001), new TokenSeries(0xFFFF_FFFF_0000_0002));
        var tokens = Enumerable.Range(0, 3).Select(_ => cut.Next()).ToArray();

        tokens.Should().OnlyHaveUniqueItems().And.OnlyContain(token => cut.Contains(token) && TokenSeries.KeyOf(token) == cut.Key);
        cut.Contains(other.Next()).Should().BeFalse();
        cut.Contains(new Token(tokens[0].Inline - (1UL << 32), 8)).Should().BeFalse("it was not given out");
        cut.Contains(new Token(tokens[0].Inline, 7)).Should().BeFalse();
    }
}
