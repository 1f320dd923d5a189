using CoAP.Serialization;

namespace CoAP.Signaling;

public sealed class SignalingMachineEndTests
{
    private readonly SignalingMachine _machine = Wire.Opened();

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Closes_at_once_after_a_Release_where_nothing_is_outstanding()
    {
        var released = _machine.Receive(Wire.Read("00 e4"), 0).Should().BeOfType<PeerReleased>().Which;

        released.CloseNow.Should().BeTrue();
        (released.AlternativeAddresses.Count, released.HoldOff).Should().Be((0, null));
        _machine.State.Should().Be(SignalingState.Closed);
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Tells_what_a_Release_says()
    {
        var release = Wire.Read("""
            d0 08                            # Len = 21, TKL = 0
            e4                               # 7.04 Release
            29 61 2e 65 78 61 6d 70 6c 65    # 2 Alternative-Address, "a.example"
            03 62 3a 31                      # 2 Alternative-Address, "b:1"
            22 01 2c                         # 4 Hold-Off, 300 s
            ff 62 79 65                      # "bye"
            """);

        var released = _machine.Receive(release, 0).Should().BeOfType<PeerReleased>().Which;

        released.AlternativeAddresses.Should().Equal("a.example", "b:1");
        released.HoldOff.Should().Be(TimeSpan.FromSeconds(300));
    }

    [Fact]
    [Trait("RFC", "8323 5.2")]
    public void Ignores_in_a_Release_what_has_a_wrong_length()
    {
        var released = _machine.Receive(Wire.Read("80 e4 20 01 61 24 01 01 01 01"), 0).Should().BeOfType<PeerReleased>().Which;

        released.AlternativeAddresses.Should().Equal(["a"], "an Alternative-Address has at least one byte");
        released.HoldOff.Should().BeNull("a Hold-Off has at most three bytes");
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Closes_after_a_Release_when_all_requests_are_answered()
    {
        var (first, second) = (_machine.RequestStarted(), _machine.RequestStarted());

        _machine.Receive(Wire.Read("00 e4"), 0).Should().BeOfType<PeerReleased>().Which.CloseNow.Should().BeFalse();
        _machine.State.Should().Be(SignalingState.Releasing);
        _machine.MayStartRequests.Should().BeFalse();
        _machine.RequestFinished(first, 0).Should().BeSameAs(SignalOutcome.Nothing);

        var close = _machine.RequestFinished(second, 0).Should().BeOfType<CloseConnection>().Which;
        close.Reason.Should().Be(CloseReason.PeerReleased);
        close.Messages.Should().BeEmpty();
        _machine.State.Should().Be(SignalingState.Closed);
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Waits_after_a_Release_for_the_responses_to_its_own_requests()
    {
        var request = _machine.RequestStarted();
        _machine.CallStarted();
        _machine.Receive(Wire.Read("00 e4"), 0);

        _machine.RequestFinished(request, 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.CallFinished(0).Should().BeOfType<CloseConnection>().Which.Reason.Should().Be(CloseReason.PeerReleased);
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Sends_the_Pongs_that_waited_before_it_closes()
    {
        var request = _machine.RequestStarted();
        _machine.Receive(Wire.Read("11 e2 42 20"), 0);
        _machine.Receive(Wire.Read("00 e4"), 0);

        var close = _machine.RequestFinished(request, 0).Should().BeOfType<CloseConnection>().Which;

        close.Messages.Should().ContainSingle().Which.Bytes().Should().Equal(Wire.Hex("11 e3 42 20"));
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Leaves_it_to_the_peer_to_close_after_its_own_Release()
    {
        var request = _machine.RequestStarted();

        _machine.Release(0).SentBytes().Should().Equal(Wire.Hex("00 e4"));

        _machine.State.Should().Be(SignalingState.Releasing);
        _machine.MayStartRequests.Should().BeFalse();
        _machine.RequestFinished(request, 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Receive(Wire.Read("01 e2 42"), 0).SentBytes().Should().Equal(Wire.Hex("01 e3 42"));
        _machine.JudgeLength(100, RequestCode.Get).Action.Should().Be(FrameAction.Accept, "requests that crossed the Release are answered");
        _machine.Release(0).Should().BeSameAs(SignalOutcome.Nothing, "one is enough");
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Closes_when_both_sides_sent_a_Release_and_nothing_is_outstanding()
    {
        _machine.Release(0);

        _machine.Receive(Wire.Read("00 e4"), 0).Should().BeOfType<PeerReleased>().Which.CloseNow.Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public void Still_requires_the_CSM_first_after_an_early_Release()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);
        machine.Release(0);

        machine.State.Should().Be(SignalingState.Releasing);
        machine.CheckFirst(RequestCode.Get).SentAbort();
    }

    [Fact]
    [Trait("RFC", "8323 5.6")]
    public void Is_closed_by_an_Abort_whatever_is_outstanding()
    {
        var request = _machine.RequestStarted();
        _machine.CallStarted();

        _machine.Receive(Wire.Read("60 e5 22 01 03 ff 6e 6f"), 0).Should().Be(new PeerAborted("no (Bad-CSM-Option 259)"));

        _machine.State.Should().Be(SignalingState.Closed);
        _machine.RequestFinished(request, 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.CallFinished(0).Should().BeSameAs(SignalOutcome.Nothing);
    }

    [Theory]
    [InlineData("00 e5", "")]
    [InlineData("40 e5 23 01 00 00", "")]       // Bad-CSM-Option of three bytes
    [InlineData("30 e5 30 ff 6e", "n")]         // a critical option: there is nothing left to abort
    [InlineData("20 e5 ff c3", "\uFFFD")]
    [InlineData("20 e5 21 02", "(Bad-CSM-Option 2)")]
    [Trait("RFC", "8323 5.6")]
    public void Obeys_an_Abort_even_where_it_is_the_first_message_or_odd(string abort, string diagnostic)
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(0);

        machine.Receive(Wire.Read(abort), 0).Should().Be(new PeerAborted(diagnostic));
    }

    [Fact]
    [Trait("RFC", "8323 5.6")]
    public void Does_nothing_after_its_own_Abort()
    {
        _machine.Abort("broken").SentAbort();

        _machine.Abort("again").Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Release(0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Probe(0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Receive(Wire.Read("00 e2"), 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Heard(RequestCode.Get, 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Poll(long.MaxValue).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.Deadline.Should().Be(long.MaxValue);
    }

    [Fact]
    public void Does_not_count_a_call_as_finished_that_was_not_started()
    {
        var finish = () => _machine.CallFinished(0);

        finish.Should().Throw<InvalidOperationException>();
    }
}
