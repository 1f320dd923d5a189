using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Signaling;

public sealed class SignalingMachineSizeTests
{
    private static readonly StreamSettings Settings = new() { MaxMessageSize = 2000, AbortAboveSize = 50_000 };

    [Theory]
    [InlineData(2, "Accept")]
    [InlineData(2000, "Accept")]
    [InlineData(2001, "SkipAndAnswerTooLarge")]
    [InlineData(50_000, "SkipAndAnswerTooLarge")]
    [InlineData(50_001, "Abort")]
    [InlineData(4_295_033_107, "Abort")]        // the longest that the header can express
    [Trait("RFC", "8323 5.3.1")]
    public void Judges_requests_by_both_limits(long totalLength, string fate)
    {
        Wire.Opened(Settings).JudgeLength(totalLength, RequestCode.Put).Action.ToString().Should().Be(fate);
    }

    [Theory]
    [InlineData(0x45, 2001, "Skip")]            // a response has no answer
    [InlineData(0x45, 50_001, "Abort")]
    [InlineData(0x00, 2001, "Skip")]
    [InlineData(0xE1, 2000, "Accept")]
    [InlineData(0xE1, 2001, "Abort")]
    [InlineData(0xE5, 2001, "Abort")]
    [InlineData(0x20, 2001, "Abort")]           // a reserved class
    [Trait("RFC", "8323 5.3.1")]
    public void Judges_what_is_no_request(byte code, long totalLength, string fate)
    {
        var verdict = Wire.Opened(Settings).JudgeLength(totalLength, new CoapCode(code));

        verdict.Action.ToString().Should().Be(fate);
        (verdict.Diagnostic is not null).Should().Be(fate == "Abort");
    }

    [Fact]
    public void Has_one_limit_where_the_second_is_not_above_the_first()
    {
        var machine = Wire.Opened(new StreamSettings { MaxMessageSize = 2000, AbortAboveSize = 0 });

        machine.JudgeLength(2000, RequestCode.Get).Action.Should().Be(FrameAction.Accept);
        machine.JudgeLength(2001, RequestCode.Get).Action.Should().Be(FrameAction.Abort);
    }

    [Fact]
    public void Changes_nothing_by_judging()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);

        machine.JudgeLength(2, RequestCode.Get).Action.Should().Be(FrameAction.Abort);

        machine.State.Should().Be(SignalingState.AwaitingCsm);
    }

    [Theory]
    [InlineData(8, 0x01, 8, "Accept")]
    [InlineData(8, 0x01, 9, "Abort")]
    [InlineData(8, 0xE2, 9, "Abort")]
    [InlineData(8, 0x45, 9, "Accept")]          // the option does not apply to responses
    [InlineData(20, 0x01, 20, "Accept")]
    [InlineData(20, 0x01, 21, "Abort")]
    [Trait("RFC", "8974 2.2.1")]
    public void Treats_a_token_longer_than_announced_as_a_format_error(int announced, byte code, int tokenLength, string fate)
    {
        var machine = Wire.Opened(new StreamSettings { MaxTokenLength = announced });

        machine.JudgeLength(100, new CoapCode(code), tokenLength).Action.ToString().Should().Be(fate);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public void Holds_larger_messages_back_until_the_peer_announces_its_limit()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);
        machine.CanSend(1152).Should().Be(SendVerdict.Now);
        machine.CanSend(1153).Should().Be(SendVerdict.WaitForCsm);

        machine.Receive(Wire.Read("30 e1 22 20 00"), 0);   // 8,192

        machine.CanSend(8192).Should().Be(SendVerdict.Now);
        machine.CanSend(8193).Should().Be(SendVerdict.TooLarge);
    }

    [Fact]
    [Trait("RFC", "8323 3.3")]
    public void Keeps_to_a_limit_below_the_base_value()
    {
        var machine = Wire.Opened();

        machine.Receive(Wire.Read("30 e1 22 01 00"), 0);   // 256

        machine.CanSend(256).Should().Be(SendVerdict.Now);
        machine.CanSend(257).Should().Be(SendVerdict.TooLarge);
    }

    [Fact]
    public void Costs_an_idle_connection_less_than_200_bytes()
    {
        var settings = new StreamSettings();
        var kept = new SignalingMachine[1000];

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < kept.Length; i++) { kept[i] = new SignalingMachine(settings); }
        });

        (allocated / kept.Length).Should().BeInRange(50, 200);
    }
}
