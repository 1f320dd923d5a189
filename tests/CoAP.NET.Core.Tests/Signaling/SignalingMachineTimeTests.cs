namespace CoAP.Signaling;

public sealed class SignalingMachineTimeTests
{
    private static readonly StreamSettings Patient = new() { IdleTimeout = null };
    private static readonly StreamSettings Probing = Patient with { PingInterval = TimeSpan.FromSeconds(20), PingTimeout = TimeSpan.FromSeconds(5) };

    [Fact]
    [Trait("RFC", "8323 3.3")]
    public void Aborts_where_no_CSM_comes_in_time()
    {
        var machine = new SignalingMachine(new StreamSettings());
        machine.Open(Wire.Seconds(100));
        machine.Heard(CoapCode.Empty, Wire.Seconds(109));

        machine.Deadline.Should().Be(Wire.Seconds(110));
        machine.Poll(Wire.Seconds(110) - 1).Should().BeSameAs(SignalOutcome.Nothing);
        machine.Poll(Wire.Seconds(110)).SentAbort();
        machine.Poll(Wire.Seconds(999)).Should().BeSameAs(SignalOutcome.Nothing, "a final state is final");
    }

    [Fact]
    public void Waits_for_nothing_once_the_CSM_is_there_and_all_else_is_off()
    {
        Wire.Opened(Patient).Deadline.Should().Be(long.MaxValue);
    }

    [Fact]
    public void Aborts_at_a_message_that_drips()
    {
        var machine = Wire.Opened(Patient);
        machine.MessageStarted(Wire.Seconds(10));
        machine.MessageStarted(Wire.Seconds(60));

        machine.Deadline.Should().Be(Wire.Seconds(70), "the time runs from the first byte");
        machine.Poll(Wire.Seconds(70)).SentAbort();
    }

    [Fact]
    public void The_wait_for_room_has_a_time_limit_of_its_own()
    {
        var machine = Wire.Opened(Patient);
        machine.MessageStarted(Wire.Seconds(10));
        machine.MessageHeld(Wire.Seconds(20));
        machine.MessageHeld(Wire.Seconds(50));
        machine.Deadline.Should().Be(Wire.Seconds(80), "the time runs from the start of the wait");

        machine.MessageStarted(Wire.Seconds(70));
        machine.Deadline.Should().Be(Wire.Seconds(130), "the time limit of the message starts when there is room");

        machine.MessageHeld(Wire.Seconds(71));
        machine.Poll(Wire.Seconds(131)).SentAbort();
    }

    [Fact]
    public void A_message_in_time_keeps_the_connection_open()
    {
        var machine = Wire.Opened(Patient);
        machine.MessageStarted(Wire.Seconds(10));

        machine.Heard(RequestCode.Get, Wire.Seconds(69));

        machine.Deadline.Should().Be(long.MaxValue);
        machine.MessageStarted(Wire.Seconds(100));
        machine.Deadline.Should().Be(Wire.Seconds(160));
    }

    [Fact]
    [Trait("RFC", "8323 3.4")]
    [Trait("RFC", "8323 5.4")]
    public void Asks_with_a_Ping_after_a_silence_and_closes_where_it_stays_silent()
    {
        var machine = Wire.Opened(Probing);
        machine.Heard(RequestCode.Get, Wire.Seconds(3));

        machine.Deadline.Should().Be(Wire.Seconds(23));
        machine.Poll(Wire.Seconds(23)).SentBytes().Should().Equal(Wire.Hex("02 e2 01 00"));
        machine.Deadline.Should().Be(Wire.Seconds(28));
        machine.Poll(Wire.Seconds(28)).Should().BeOfType<CloseConnection>().Which.Reason.Should().Be(CloseReason.PingUnanswered);
        machine.State.Should().Be(SignalingState.Closed);
    }

    [Theory]
    [InlineData("02 e3 01 00")]
    [InlineData("01 e3 77")]
    [InlineData("00 e1")]
    [InlineData("00 45")]
    [Trait("RFC", "8323 5.4")]
    public void Treats_any_message_as_a_sign_of_life(string message)
    {
        var machine = Wire.Opened(Probing);
        machine.Poll(Wire.Seconds(20)).Should().BeOfType<SendSignals>();

        var heard = Wire.Read(message);
        _ = heard.Code.IsSignal ? machine.Receive(heard, Wire.Seconds(24)) : machine.Heard(heard.Code, Wire.Seconds(24));

        machine.Deadline.Should().Be(Wire.Seconds(44));
    }

    [Fact]
    public void Sends_one_Ping_where_it_is_polled_late()
    {
        var machine = Wire.Opened(Probing);

        machine.Poll(Wire.Seconds(500)).Should().BeOfType<SendSignals>().Which.Messages.Should().HaveCount(1);
        machine.Poll(Wire.Seconds(500)).Should().BeSameAs(SignalOutcome.Nothing);
        machine.Deadline.Should().Be(Wire.Seconds(505));
    }

    [Fact]
    public void Does_not_ask_a_peer_whose_message_is_on_its_way()
    {
        var machine = Wire.Opened(Probing);
        machine.Poll(Wire.Seconds(20));

        machine.MessageStarted(Wire.Seconds(21));

        machine.Deadline.Should().Be(Wire.Seconds(81), "the Pong cannot overtake the message");
    }

    [Fact]
    public void Keeps_sending_Pings_to_a_peer_that_answers_without_Pongs()
    {
        var machine = Wire.Opened(Probing);

        for (var i = 1; i <= 100; i++)
        {
            machine.Poll(machine.Deadline).Should().BeOfType<SendSignals>();
            machine.Heard(ResponseCode.Content, Wire.Seconds(20 * i));
        }

        machine.Deadline.Should().Be(Wire.Seconds(2020));
    }

    [Fact]
    [Trait("RFC", "8323 3")]
    public void Releases_an_idle_connection_and_closes_it_where_the_peer_does_not()
    {
        var machine = Wire.Opened();
        machine.Heard(RequestCode.Get, Wire.Seconds(7));

        machine.Deadline.Should().Be(Wire.Seconds(307));
        machine.Poll(Wire.Seconds(307)).SentBytes().Should().Equal(Wire.Hex("00 e4"));
        machine.State.Should().Be(SignalingState.Releasing);
        machine.Deadline.Should().Be(Wire.Seconds(337));
        machine.Poll(Wire.Seconds(337)).Should().BeOfType<CloseConnection>().Which.Reason.Should().Be(CloseReason.ReleaseTimedOut);
    }

    [Fact]
    [Trait("RFC", "8323 3")]
    public void Is_not_idle_while_requests_are_outstanding_in_either_direction()
    {
        var machine = Wire.Opened();
        var request = machine.RequestStarted();
        machine.Poll(Wire.Seconds(300)).Should().BeOfType<SendSignals>().Which.Messages[0].Code.Should().Be(SignalCode.Ping);
        machine.Receive(Wire.Read("01 e3 01"), Wire.Seconds(301));

        machine.CallStarted();
        machine.RequestFinished(request, Wire.Seconds(400));
        machine.Poll(Wire.Seconds(700)).Should().BeOfType<SendSignals>().Which.Messages[0].Code.Should().Be(SignalCode.Ping);
        machine.Receive(Wire.Read("01 e3 02"), Wire.Seconds(701));

        machine.CallFinished(Wire.Seconds(1000));
        machine.Deadline.Should().Be(Wire.Seconds(1300));
    }

    [Theory]
    [InlineData("00 00", 400)]       // Empty: what keep-alives are made of
    [InlineData("00 e2", 400)]
    [InlineData("00 e3", 300)]       // the answer to our own Ping
    [Trait("RFC", "8323 3.4")]
    public void Counts_what_the_peer_sends_of_its_own_as_use(string message, int expected)
    {
        var machine = Wire.Opened();
        var heard = Wire.Read(message);

        _ = heard.Code.IsSignal ? machine.Receive(heard, Wire.Seconds(100)) : machine.Heard(heard.Code, Wire.Seconds(100));

        machine.Deadline.Should().Be(Wire.Seconds(expected));
    }

    // A peer that lost its power sends no FIN, and an observation without changes sends nothing that TCP would have to repeat.
    [Theory, Trait("RFC", "8323 5.4")]
    [InlineData(true), InlineData(false)]
    public void Asks_a_silent_peer_whether_it_is_there_if_something_keeps_the_connection(bool isRequest)
    {
        var machine = Wire.Opened(new StreamSettings { IdleTimeout = TimeSpan.FromSeconds(100), PingTimeout = TimeSpan.FromSeconds(5) });
        if (isRequest) { machine.RequestStarted(); }
        else { machine.CallStarted(); }

        machine.Deadline.Should().Be(Wire.Seconds(100));
        machine.Poll(Wire.Seconds(100)).Should().BeOfType<SendSignals>().Which.Messages.Should().ContainSingle().Which.Code.Should().Be(SignalCode.Ping);
        machine.Receive(Wire.Read("01 e3 01"), Wire.Seconds(101));
        machine.Deadline.Should().Be(Wire.Seconds(201));
        machine.Poll(Wire.Seconds(201));
        machine.Poll(Wire.Seconds(206)).Should().BeOfType<CloseConnection>().Which.Reason.Should().Be(CloseReason.PingUnanswered);
    }

    [Fact]
    public void Prefers_to_close_a_silent_connection_over_releasing_it()
    {
        var machine = Wire.Opened(Probing with { IdleTimeout = TimeSpan.FromSeconds(25) });
        machine.Poll(Wire.Seconds(20));

        machine.Poll(Wire.Seconds(25)).Should().BeOfType<CloseConnection>().Which.Reason.Should().Be(CloseReason.PingUnanswered);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("RFC", "8323 5.5")]
    public void Waits_a_limited_time_after_a_Release_of_either_side(bool isPeers)
    {
        var machine = Wire.Opened(Probing);
        machine.RequestStarted();

        _ = isPeers ? machine.Receive(Wire.Read("00 e4"), Wire.Seconds(1)) : machine.Release(Wire.Seconds(1));
        machine.Heard(RequestCode.Get, Wire.Seconds(30));

        machine.Deadline.Should().Be(Wire.Seconds(31));
        machine.Poll(Wire.Seconds(31)).Should().BeOfType<CloseConnection>().Which.Reason.Should().Be(CloseReason.ReleaseTimedOut);
    }

    [Fact]
    public void Knows_no_end_of_time()
    {
        var machine = Wire.Opened(new StreamSettings { IdleTimeout = TimeSpan.MaxValue, PingInterval = TimeSpan.MaxValue });

        machine.Heard(RequestCode.Get, Wire.Seconds(1));

        machine.Deadline.Should().Be(long.MaxValue);
    }
}
