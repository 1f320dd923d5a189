using CoAP.Options;

namespace CoAP.Signaling;

public sealed class SignalingMachinePingTests
{
    private readonly SignalingMachine _machine = Wire.Opened();

    [Theory]
    [InlineData("00 e2", "00 e3")]
    [InlineData("08 e2 01 02 03 04 05 06 07 08", "08 e3 01 02 03 04 05 06 07 08")]
    [InlineData("21 e2 42 41 00", "01 e3 42")]       // 4, unassigned and elective
    [InlineData("21 e2 42 21 00", "01 e3 42")]       // Custody with a value: as if it were not there
    [Trait("RFC", "8323 5.4")]
    public void Answers_a_Ping_at_once_with_its_token(string ping, string pong)
    {
        _machine.RequestStarted();

        _machine.Receive(Wire.Read(ping), 0).SentBytes().Should().Equal(Wire.Hex(pong));
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Answers_a_Ping_with_Custody_at_once_where_nothing_is_in_progress()
    {
        _machine.Receive(Wire.Read("11 e2 42 20"), 0).SentBytes().Should().Equal(Wire.Hex("11 e3 42 20"));
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Delays_the_Pong_with_Custody_until_the_requests_before_the_Ping_are_finished()
    {
        var (first, second) = (_machine.RequestStarted(), _machine.RequestStarted());

        _machine.Receive(Wire.Read("11 e2 42 20"), 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.RequestFinished(second, 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.RequestFinished(first, 0).SentBytes().Should().Equal(Wire.Hex("11 e3 42 20"));
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Does_not_delay_the_Pong_for_requests_after_the_Ping()
    {
        var before = _machine.RequestStarted();
        _machine.Receive(Wire.Read("11 e2 42 20"), 0);
        var after = _machine.RequestStarted();

        _machine.RequestFinished(before, 0).SentBytes().Should().Equal(Wire.Hex("11 e3 42 20"));
        _machine.RequestFinished(after, 0).Should().BeSameAs(SignalOutcome.Nothing);
        _machine.RequestsInProgress.Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Keeps_the_order_of_Pings_with_Custody()
    {
        var first = _machine.RequestStarted();
        _machine.Receive(Wire.Read("11 e2 01 20"), 0);
        _machine.Receive(Wire.Read("11 e2 02 20"), 0);
        var second = _machine.RequestStarted();
        _machine.Receive(Wire.Read("11 e2 03 20"), 0);

        _machine.RequestFinished(second, 0).Should().BeSameAs(SignalOutcome.Nothing, "the third Ping waits for the first request as well");
        var pongs = _machine.RequestFinished(first, 0).Should().BeOfType<SendSignals>().Which.Messages;

        pongs.Select(pong => pong.Token.ToString()).Should().Equal("01", "02", "03");
        pongs.Should().OnlyContain(pong => pong.Options.Contains<Custody>());
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Answers_a_Ping_too_many_at_once_and_without_Custody()
    {
        var request = _machine.RequestStarted();
        for (var i = 0; i < PendingPongs.Limit; i++) { _machine.Receive(Wire.Read("11 e2 01 20"), 0).Should().BeSameAs(SignalOutcome.Nothing); }

        _machine.Receive(Wire.Read("11 e2 99 20"), 0).SentBytes().Should().Equal(Wire.Hex("01 e3 99"));
        _machine.RequestFinished(request, 0).Should().BeOfType<SendSignals>().Which.Messages.Should().HaveCount(PendingPongs.Limit);
    }

    [Fact]
    public void Does_not_count_a_request_as_finished_that_was_not_started_or_is_finished()
    {
        var request = _machine.RequestStarted();
        _machine.Receive(Wire.Read("11 e2 42 20"), 0);
        _machine.RequestFinished(request, 0);

        var again = () => _machine.RequestFinished(request, 0);
        var never = () => _machine.RequestFinished(1, 0);

        again.Should().Throw<InvalidOperationException>();
        never.Should().Throw<InvalidOperationException>();
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public void Delays_Pongs_exactly_as_a_list_of_all_messages_would()
    {
        var (seed, model, open) = (20_240_101, new CustodyModel(), new List<(int Id, int Generation)>());
        var random = new Random(seed);
        for (var step = 0; step < 20_000; step++)
        {
            var roll = random.Next(10);
            if (roll < 5) { open.Add((model.Start(), _machine.RequestStarted())); }
            else if (roll < 6 && model.Waiting < PendingPongs.Limit)
            {
                var expected = model.Ping((byte)step);
                Tokens(_machine.Receive(Wire.Read($"11 e2 {(byte)step:x2} 20"), 0)).Should().Equal(expected, $"seed {seed}, step {step}");
            }
            else if (open.Count > 0)
            {
                var index = random.Next(open.Count);
                var (id, generation) = open[index];
                open.RemoveAt(index);
                Tokens(_machine.RequestFinished(generation, 0)).Should().Equal(model.Finish(id), $"seed {seed}, step {step}");
            }
        }
    }

    [Fact]
    [Trait("RFC", "8323 5.4")]
    public void Ignores_a_Pong_that_nobody_asked_for()
    {
        _machine.Receive(Wire.Read("01 e3 42"), 0).Should().BeSameAs(SignalOutcome.Nothing);

        _machine.State.Should().Be(SignalingState.Open);
    }

    [Theory]
    [InlineData("10 e2 10")]
    [InlineData("10 e3 30")]
    [InlineData("10 e4 50")]
    [InlineData("10 e6 10")]
    [Trait("RFC", "8323 5.2")]
    public void Aborts_at_a_critical_option_in_any_signal_without_naming_it_as_one_of_the_CSM(string signal)
    {
        _machine.Receive(Wire.Read(signal), 0).SentAbort().Options.IsEmpty.Should().BeTrue();
    }

    [Theory]
    [InlineData("00 e0")]
    [InlineData("00 e6")]
    [InlineData("41 ff 42 21 00 ff 00")]
    [Trait("RFC", "8323 5.1")]
    public void Ignores_signals_of_unassigned_codes(string signal)
    {
        _machine.Receive(Wire.Read(signal), 0).Should().BeSameAs(SignalOutcome.Nothing);

        _machine.State.Should().Be(SignalingState.Open);
    }

    private static IEnumerable<byte> Tokens(SignalOutcome outcome) =>
        outcome is SendSignals send ? send.Messages.Select(pong => pong.Token.ToArray()[0]) : [];

    // All that arrived, in order; a Pong goes when nothing stands before its Ping.
    private sealed class CustodyModel
    {
        private readonly List<(int Id, byte Token, bool IsPing)> _arrived = [];
        private int _last;

        public int Waiting => _arrived.Count(one => one.IsPing);

        public int Start()
        {
            _arrived.Add((++_last, 0, false));
            return _last;
        }

        public List<byte> Ping(byte token)
        {
            _arrived.Add((0, token, true));
            return Answer();
        }

        public List<byte> Finish(int id)
        {
            _arrived.RemoveAll(one => one.Id == id && !one.IsPing);
            return Answer();
        }

        private List<byte> Answer()
        {
            var due = _arrived.TakeWhile(one => one.IsPing).Select(one => one.Token).ToList();
            _arrived.RemoveRange(0, due.Count);
            return due;
        }
    }
}
