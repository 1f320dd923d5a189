using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Signaling;

public sealed class SignalingMachineCsmTests
{
    [Fact]
    [Trait("RFC", "8323 5.3")]
    public void Has_base_values_until_the_peers_first_CSM()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);

        machine.State.Should().Be(SignalingState.AwaitingCsm);
        machine.HasPeerCsm.Should().BeFalse();
        machine.PeerMaxMessageSize.Should().Be(1152);
        machine.PeerMaxTokenLength.Should().Be(8);
        machine.PeerSupportsBlockWise.Should().BeFalse();
        machine.MayStartRequests.Should().BeTrue("the initiator may send without waiting for the acceptor's CSM");
    }

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public void Keeps_base_values_where_the_CSM_has_no_options()
    {
        var machine = Wire.Opened();

        machine.State.Should().Be(SignalingState.Open);
        machine.HasPeerCsm.Should().BeTrue();
        (machine.PeerMaxMessageSize, machine.PeerMaxTokenLength, machine.PeerSupportsBlockWise).Should().Be((1152L, 8, false));
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    [Trait("RFC", "8323 5.3.2")]
    public void Takes_over_what_the_CSM_says()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);

        var outcome = machine.Receive(Wire.Read("70 e1 23 01 00 00 20 21 14"), 0);   // 65,536, block-wise, tokens of 20

        outcome.Should().Be(new PeerLimitsChanged());
        (machine.PeerMaxMessageSize, machine.PeerMaxTokenLength, machine.PeerSupportsBlockWise).Should().Be((65_536L, 20, true));
    }

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public void Changes_with_a_further_CSM_only_what_it_carries()
    {
        var machine = Wire.Opened();
        machine.Receive(Wire.Read("70 e1 23 01 00 00 20 21 14"), 0);

        machine.Receive(Wire.Read("30 e1 22 10 00"), 0).Should().Be(new PeerLimitsChanged());   // 4,096
        (machine.PeerMaxMessageSize, machine.PeerMaxTokenLength, machine.PeerSupportsBlockWise).Should().Be((4096L, 20, true));

        machine.Receive(Wire.Read("20 e1 61 09"), 0).Should().Be(new PeerLimitsChanged());      // tokens of 9
        (machine.PeerMaxMessageSize, machine.PeerMaxTokenLength, machine.PeerSupportsBlockWise).Should().Be((4096L, 9, true));
    }

    [Theory]
    [InlineData("00 e1")]
    [InlineData("30 e1 22 04 80")]
    [Trait("RFC", "8323 5.3")]
    public void Reports_nothing_for_a_further_CSM_that_changes_nothing(string csm)
    {
        Wire.Opened().Receive(Wire.Read(csm), 0).Should().BeSameAs(SignalOutcome.Nothing);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.2")]
    public void Treats_block_wise_transfer_with_over_1152_bytes_as_BERT_until_the_size_is_lowered()
    {
        var machine = Wire.Opened();
        machine.Receive(Wire.Read("10 e1 40"), 0);
        machine.PeerSupportsBert.Should().BeFalse();

        machine.Receive(Wire.Read("30 e1 22 04 81"), 0);
        machine.PeerSupportsBert.Should().BeTrue();

        machine.Receive(Wire.Read("30 e1 22 04 80"), 0);
        machine.PeerSupportsBert.Should().BeFalse();
        machine.PeerSupportsBlockWise.Should().BeTrue();
    }

    [Theory]
    [InlineData("20 e1 61 07", 8)]                 // below 8: MUST be ignored
    [InlineData("10 e1 60", 8)]
    [InlineData("20 e1 61 08", 8)]
    [InlineData("40 e1 63 01 01 0c", 65_804)]
    [InlineData("40 e1 63 01 01 0d", 65_804)]      // above 65,804: MUST be set to 65,804
    [InlineData("40 e1 63 ff ff ff", 65_804)]
    [Trait("RFC", "8974 2.2.1")]
    public void Keeps_announced_token_lengths_within_8_and_65804(string csm, int expected)
    {
        var machine = Wire.Opened();

        machine.Receive(Wire.Read(csm), 0);

        machine.PeerMaxTokenLength.Should().Be(expected);
        machine.State.Should().Be(SignalingState.Open);
    }

    [Fact]
    [Trait("RFC", "8974 2.2.1")]
    public void A_token_length_below_8_does_not_replace_one_that_was_announced_before()
    {
        var machine = Wire.Opened();
        machine.Receive(Wire.Read("20 e1 61 20"), 0);

        machine.Receive(Wire.Read("20 e1 61 07"), 0);

        machine.PeerMaxTokenLength.Should().Be(32);
    }

    [Theory]
    [InlineData("60 e1 25 00 00 00 10 00")]     // Max-Message-Size of five bytes
    [InlineData("20 e1 41 01")]                 // Block-Wise-Transfer with a value
    [InlineData("50 e1 64 00 00 00 20")]        // Extended-Token-Length of four bytes
    [InlineData("20 e1 81 01")]                 // 8, unassigned and elective
    [Trait("RFC", "8323 5.2")]
    [Trait("RFC", "7252 5.4.3")]
    public void Ignores_elective_options_that_are_unknown_or_have_a_wrong_length(string csm)
    {
        var machine = Wire.Opened();

        machine.Receive(Wire.Read(csm), 0).Should().BeSameAs(SignalOutcome.Nothing);

        (machine.PeerMaxMessageSize, machine.PeerMaxTokenLength, machine.PeerSupportsBlockWise).Should().Be((1152L, 8, false));
    }

    [Fact]
    [Trait("RFC", "7252 5.4.5")]
    public void Ignores_a_second_occurrence_of_an_option()
    {
        var machine = Wire.Opened();

        machine.Receive(Wire.Read("60 e1 22 10 00 02 20 00"), 0);   // 4,096 and 8,192

        machine.PeerMaxMessageSize.Should().Be(4096);
    }

    [Theory]
    [InlineData("10 e1 30", 3u)]
    [InlineData("40 e1 22 10 00 70", 9u)]              // OSCORE, which RFC 8613 registers for signals; not understood here
    [InlineData("30 e1 e0 fe f2", 65_535u)]
    [Trait("RFC", "8323 5.2")]
    [Trait("RFC", "8323 5.6")]
    public void Aborts_at_a_critical_option_and_names_it(string csm, uint option)
    {
        var machine = Wire.Opened();

        machine.Receive(Wire.Read(csm), 0).SentAbort().Options.Get<BadCsmOption>()!.Value.Should().Be(option);

        machine.State.Should().Be(SignalingState.Closed);
        machine.PeerMaxMessageSize.Should().Be(1152, "nothing of such a message is processed");
    }

    [Theory]
    [InlineData("10 e1 20")]
    [InlineData("20 e1 21 01")]
    [Trait("RFC", "8323 5.6")]
    public void Aborts_at_a_maximum_size_into_which_no_message_fits_and_names_the_option(string csm)
    {
        Wire.Opened().Receive(Wire.Read(csm), 0).SentAbort().Options.Get<BadCsmOption>()!.Value.Should().Be(2);
    }

    [Theory]
    [InlineData("00 01")]       // GET
    [InlineData("00 45")]       // 2.05
    [InlineData("00 e2")]       // Ping
    [InlineData("00 e3")]       // Pong
    [InlineData("00 e4")]       // Release
    [InlineData("00 e6")]       // 7.06, unassigned
    [Trait("RFC", "8323 3.3")]
    [Trait("RFC", "8323 5.3")]
    public void Aborts_where_the_first_message_is_no_CSM(string first)
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);
        var message = Wire.Read(first);
        machine.JudgeLength(2, message.Code).Action.Should().Be(FrameAction.Abort);

        var outcome = message.Code.IsSignal ? machine.Receive(message, 0) : machine.Heard(message.Code, 0);

        outcome.SentAbort().Options.Get<BadCsmOption>().Should().BeNull();
        machine.State.Should().Be(SignalingState.Closed);
    }

    [Fact]
    [Trait("RFC", "8323 3.4")]
    public void Ignores_Empty_messages_at_all_times()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);

        machine.Heard(CoapCode.Empty, 0).Should().BeSameAs(SignalOutcome.Nothing);
        machine.HasPeerCsm.Should().BeFalse();
        machine.Receive(Wire.Read("00 e1"), 0).Should().Be(new PeerLimitsChanged());
        machine.Heard(CoapCode.Empty, 0).Should().BeSameAs(SignalOutcome.Nothing);
    }

    [Fact]
    public void Takes_requests_and_responses_after_the_CSM()
    {
        var machine = Wire.Opened();

        machine.CheckFirst(RequestCode.Get).Should().BeSameAs(SignalOutcome.Nothing);
        machine.Heard(RequestCode.Get, 0).Should().BeSameAs(SignalOutcome.Nothing);
        machine.Heard(ResponseCode.Content, 0).Should().BeSameAs(SignalOutcome.Nothing);
    }

    [Fact]
    public void Refuses_to_take_a_request_for_a_signal()
    {
        var receive = () => Wire.Opened().Receive(Wire.Read("00 01"), 0);

        receive.Should().Throw<ArgumentException>();
    }
}
