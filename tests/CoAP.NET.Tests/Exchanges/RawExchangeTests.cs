using System.Text;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>Requests on behalf of somebody else: nothing is added, nothing is checked, and all responses come back as they are.</summary>
public sealed class RawExchangeTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _peer;
    private readonly LaneEnd _end;

    public RawExchangeTests()
    {
        _peer = ScriptedPeer.Server(_wire);
        _end = LaneEnd.Client(_wire, new CoapClientSettings());
    }

    public void Dispose()
    {
        _peer.Dispose();
        _end.Dispose();
    }

    [Fact]
    [Trait("RFC", "7252 5.4.2")]
    public void Options_that_nobody_knows_pass_in_both_directions()
    {
        var asked = Ask(new CoapRequest(RequestCode.Get, "/x")
        {
            Options = [new UnknownOption(65001, new byte[] { 1 }), new UnknownOption(65002, new byte[] { 2 })],
        });

        _peer.Expect("CON [X] GET /x (Token T) {65001: 0x01, 65002: 0x02}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {65003: 0x03, 65004: 0x04} 'raw'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        var (response, isLast) = asked.Responses.Should().ContainSingle().Which;
        isLast.Should().BeTrue();
        response.Options.Select(static option => option.Number).Should().Equal(65003, 65004);
        ExpectNothingLeft();
    }

    [Fact]
    [Trait("RFC", "7252 5.4.1")]
    public void A_separate_response_with_an_unknown_critical_option_is_acknowledged()
    {
        var asked = Ask(new CoapRequest(RequestCode.Get, "/x"));

        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Send("ACK [X]");
        _peer.Send("CON [0x0001] 2.05 Content (Token T) {65003: 0x03} 'raw'");
        _peer.Expect("ACK [0x0001]");

        asked.Responses.Should().ContainSingle();
    }

    [Fact]
    [Trait("RFC", "9175 2.3")]
    public void An_Echo_value_is_neither_kept_nor_answered_nor_added()
    {
        var asked = Ask(new CoapRequest(RequestCode.Get, "/x"));
        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        _wire.RunUntilIdle(TimeSpan.Zero);
        asked.Responses.Should().ContainSingle().Which.Message.Options.Contains<Echo>().Should().BeTrue();

        _ = _end.Get("/own");
        _peer.Expect("CON [Y] GET /own (Token U)");     // the value belongs to somebody else
        _peer.Send("ACK [Y] 2.05 Content (Token U) {Echo: 0x06}");
        _wire.RunUntilIdle(TimeSpan.Zero);
        Ask(new CoapRequest(RequestCode.Get, "/z"));
        _peer.Expect("CON [Z] GET /z (Token V)");
    }

    [Fact]
    [Trait("RFC", "7959 2.4")]
    public void Blocks_are_left_to_the_other_side()
    {
        var asked = Ask(new CoapRequest(RequestCode.Get, "/x"));

        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Send("ACK [X] 2.05 Content (Token T) {ETag: 0x01, Block2: 0/1/16} '0123456789abcdef'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        asked.Responses.Should().ContainSingle().Which.Message.Options.Contains<Block2>().Should().BeTrue();
        _peer.ExpectNothing(TimeSpan.FromSeconds(5));
    }

    [Fact]
    [Trait("RFC", "7641 3.4")]
    public void Notifications_come_in_the_order_of_arrival_and_end_with_the_first_without_Observe()
    {
        var asked = Ask(Observing("/x"));

        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {Observe: 9} 'a'");
        _peer.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 8} 'older'");
        _peer.Send("CON [0x0002] 2.05 Content (Token T) {Observe: 10, 65003: 0x03} 'b'");
        _peer.Expect("ACK [0x0002]");
        _peer.Send("NON [0x0003] 4.04 NotFound (Token T)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        asked.Responses.Select(static one => (Encoding.UTF8.GetString(one.Message.Payload.Span), one.IsLast)).Should()
            .Equal(("a", false), ("older", false), ("b", false), ("", true));
        ExpectNothingLeft();
    }

    [Fact]
    [Trait("RFC", "7641 3.6")]
    public void Cancel_deregisters_an_observation_with_its_token()
    {
        var asked = Ask(Observing("/x"));
        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {Observe: 9} 'a'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        _end.Lane.Post(new LaneAction(asked.Cancel));
        _peer.Expect("CON [Y] GET /x (Token T) {Observe: 1}");
        _peer.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 10} 'crossed'");
        _peer.Send("ACK [Y] 2.05 Content (Token T) 'bye'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        asked.Responses.Should().ContainSingle();
        ExpectNothingLeft();
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void Cancel_after_the_channel_has_been_removed_takes_a_fresh_message_ID()
    {
        var asked = Ask(Observing("/x"));
        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {Observe: 9} 'a'");
        _wire.RunFor(TimeSpan.FromMinutes(10));
        _ = _end.Get("/other");
        _peer.Expect("CON [Y] GET /other (Token U)");
        _peer.Send("ACK [Y] 2.05 Content (Token U)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        _end.Lane.Post(new LaneAction(asked.Cancel));

        _peer.Expect("CON [Z] GET /x (Token T) {Observe: 1}");     // X, Y and Z differ
    }

    [Fact]
    [Trait("RFC", "7641 3.6")]
    public void One_that_fails_on_a_notification_is_deregistered()
    {
        var asked = Ask(Observing("/x"));
        _end.ToleratesFaults = true;
        asked.FailsAt = 2;
        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {Observe: 9} 'a'");
        _peer.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 10} 'b'");

        _peer.Expect("CON [Y] GET /x (Token T) {Observe: 1}");
        asked.Error.Should().BeOfType<CoapTransportException>().Which.Message.Should().Contain("Recorded failed on a response");
    }

    [Fact]
    public void Cancel_outside_of_the_lane_is_refused()
    {
        var asked = Ask(Observing("/x"));
        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");

        asked.Invoking(static one => one.Cancel()).Should().Throw<InvalidOperationException>()
            .WithMessage("Cancel must be called on the lane.*");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Dispose_ends_a_wait_for_the_next_response(bool isBlocking)
    {
        var start = new RawAnswers(_end.ChannelTo(_wire.Server), Observing("/x")).StartAsync(CancellationToken.None).AsTask();
        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {Observe: 9} 'a'");
        _wire.RunUntilIdle(TimeSpan.Zero);
        var answers = await start;
        (await answers.NextAsync())!.PayloadText.Should().Be("a");

        var waiting = isBlocking ? Task.Run(() => answers.Next()) : answers.NextAsync().AsTask();
        answers.Dispose();
        var next = await waiting;

        next.Should().BeNull();
    }

    [Fact]
    [Trait("RFC", "7641 3.6")]
    public void Cancel_before_the_request_is_sent_sends_nothing()
    {
        _ = _end.Get("/first");                 // NSTART is 1
        _peer.Expect("CON [X] GET /first (Token T)");
        var asked = Ask(Observing("/x"));
        _wire.RunUntilIdle(TimeSpan.Zero);

        _end.Lane.Post(new LaneAction(asked.Cancel));
        _wire.RunUntilIdle(TimeSpan.Zero);
        _peer.Send("ACK [X] 2.05 Content (Token T)");
        _peer.ExpectNothing(TimeSpan.FromSeconds(5));

        asked.Error.Should().BeNull();
        ExpectNothingLeft();
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void A_lost_request_is_retransmitted_and_fails_in_the_end()
    {
        var asked = Ask(new CoapRequest(RequestCode.Get, "/x") { Timeout = Limit });

        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Expect("CON [X] GET /x (Token T)");
        _wire.RunFor(Limit);

        asked.Error.Should().BeOfType<CoapTimeoutException>();
        ExpectNothingLeft();
    }

    [Fact]
    public void A_Reset_fails_it()
    {
        var asked = Ask(new CoapRequest(RequestCode.Get, "/x"));

        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Send("RST [X]");
        _wire.RunUntilIdle(TimeSpan.Zero);

        asked.Error.Should().BeOfType<CoapResetException>();
        ExpectNothingLeft();
    }

    [Fact]
    [Trait("RFC", "7967 2")]
    public void A_request_that_wants_no_response_ends_when_it_is_acknowledged()
    {
        var asked = Ask(new CoapRequest(RequestCode.Put, "/x") { Options = [NoResponse.SuppressAll] });

        _peer.Expect("CON [X] PUT /x (Token T) {No-Response: 26}");
        _peer.Send("ACK [X]");
        _wire.RunUntilIdle(TimeSpan.Zero);

        asked.IsForgotten.Should().BeTrue();
        ExpectNothingLeft();
    }

    [Fact]
    public void One_that_does_not_fit_fails_with_the_limit()
    {
        var asked = Ask(new CoapRequest(RequestCode.Put, "/x") { Payload = new byte[70_000] });

        _wire.RunUntilIdle(TimeSpan.Zero);

        asked.Error.Should().BeOfType<CoapTransferException>().Which.Message.Should().Contain("MaxSendSize");
    }

    [Fact]
    public void One_with_a_stream_is_refused_and_one_is_sent_once()
    {
        var streaming = () => new Recorded(new CoapRequest(RequestCode.Put, "/x") { Body = BodySource.From(Stream.Null) });
        streaming.Should().Throw<ArgumentException>().WithMessage("A raw request is one message, *");

        var asked = Ask(new CoapRequest(RequestCode.Get, "/x"));
        _wire.RunUntilIdle(TimeSpan.Zero);
        asked.Invoking(one => RawCall.Of(_end.ChannelTo(_wire.Server), one)).Should().Throw<InvalidOperationException>()
            .WithMessage("GET /x has been sent.*");
    }

    [Fact]
    public void The_end_of_the_lane_fails_it()
    {
        var asked = Ask(Observing("/x"));
        _peer.Expect("CON [X] GET /x (Token T) {Observe: 0}");
        _peer.Send("ACK [X] 2.05 Content (Token T) {Observe: 9} 'a'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        _end.Dispose();

        asked.Error.Should().BeOfType<CoapTransportException>();
    }

    private static CoapRequest Observing(string path) => new(RequestCode.Get, path) { Options = [new Observe(0)] };

    private Recorded Ask(CoapRequest request)
    {
        var asked = new Recorded(request);
        var to = new ChannelKey(_wire.Server, _end.Lane.LocalFor(_wire.Server));
        _end.Lane.Post(new LaneAction(() => _end.Lane.Ask(to, asked)));
        return asked;
    }

    private void ExpectNothingLeft()
    {
        _end.Lane.Exchanges.Count.Should().Be(0);
        _end.Lane.Exchanges.UnsettledCount.Should().Be(0);
    }

    private sealed class Recorded(CoapRequest request) : RawExchange(request)
    {
        public List<(CoapMessage Message, bool IsLast)> Responses { get; } = [];

        public Exception? Error { get; private set; }

        public bool IsForgotten { get; private set; }

        public int FailsAt { get; set; }

        protected internal override void OnResponse(CoapMessage response, bool isLast)
        {
            Responses.Add((response, isLast));
            if (Responses.Count == FailsAt) { throw new InvalidOperationException("a bug"); }
        }

        protected internal override void OnFailure(Exception error) => Error = error;

        protected internal override void OnForgotten() => IsForgotten = true;
    }
}
