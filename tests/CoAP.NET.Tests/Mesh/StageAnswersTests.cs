using CoAP.Lanes;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Mesh;

/// <summary>Stages of a package that answer, drop or hold requests. Each request has one end.</summary>
public sealed class StageAnswersTests : IDisposable
{
    private const string Clean = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private static readonly MeshArrow<IncomingRequest>[] RequestArrows =
    [
        MeshArrow.UnderstoodRequests, MeshArrow.FreshRequests, MeshArrow.AuthorizedRequests, MeshArrow.RobustRequests, MeshArrow.Requests, MeshArrow.HandlerRequests,
    ];

    private static readonly CoapResponse Forbidden = new(ResponseCode.Forbidden);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;
    private Resource _resource = null!;
    private int _calls;

    public StageAnswersTests() => _client = ScriptedPeer.Client(_wire);

    public static TheoryData<MeshArrow<IncomingRequest>> OfRequests => new(RequestArrows);

    public static TheoryData<MeshArrow<IncomingRequest>, MeshArrow<Answer>> Pairs
    {
        get
        {
            var pairs = new TheoryData<MeshArrow<IncomingRequest>, MeshArrow<Answer>>();
            foreach (var request in RequestArrows)
            {
                pairs.Add(request, MeshArrow.Answers);
                pairs.Add(request, MeshArrow.SizedAnswers);
                pairs.Add(request, MeshArrow.AllowedAnswers);
            }
            return pairs;
        }
    }

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Theory, MemberData(nameof(Pairs))]
    public void The_answer_of_a_stage_ends_the_request(MeshArrow<IncomingRequest> arrow, MeshArrow<Answer> answers)
    {
        var server = Serve(Stage(arrow, answers, (request, stage) => stage.Answer(request, Forbidden)));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001] 4.03 Forbidden (Token 0x01)");
        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001] 4.03 Forbidden (Token 0x01)");

        ExpectEnd(server, RequestEnd.Refused);
        _calls.Should().Be(0);
    }

    [Theory, MemberData(nameof(Pairs))]
    public void Only_the_first_answer_counts(MeshArrow<IncomingRequest> arrow, MeshArrow<Answer> answers)
    {
        var server = Serve(Stage(arrow, answers, (request, stage) =>
        {
            stage.Answer(request, Forbidden);
            stage.Answer(request, Response.NotFound);
            stage.Out.Emit(request);
        }));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001] 4.03 Forbidden (Token 0x01)");
        _client.ExpectNothing(seconds: 5);

        ExpectEnd(server, RequestEnd.Refused);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_stage_that_refuses_the_call_for_observers_ends_the_observation(bool isSized)
    {
        var server = Serve(Stage(
            MeshArrow.ObserverRequests, isSized ? MeshArrow.SizedAnswers : MeshArrow.Answers, (request, stage) => stage.Answer(request, Forbidden)));
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} '1'");

        _resource.NotifyChanged();
        _client.Expect("CON [X] 4.03 Forbidden (Token 0x01)");
        _client.Send("ACK [X] 0.00");
        _wire.RunUntilIdle(TimeSpan.Zero);

        server.Lane.Metrics[LaneCounters.ActiveObservations].Should().Be(0);
        server.Lane.PendingRequests.Should().Be(0);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_streamed_body_is_refused(bool isSized)
    {
        var server = Serve(Stage(
            MeshArrow.Requests, isSized ? MeshArrow.SizedAnswers : MeshArrow.Answers, (request, stage) => stage.Answer(request, Forbidden)));

        _client.Send("CON [0x0001] PUT /up (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        _client.Expect("ACK [0x0001] 4.03 Forbidden (Token 0x01) {Block1: 0/0/16}");
        _client.ExpectNothing(seconds: 1);

        server.Leftovers.Should().Be(Clean);
        _calls.Should().Be(0);
    }

    [Theory, MemberData(nameof(OfRequests))]
    public void A_request_that_a_stage_passes_on_later_ends_with_5_00_if_a_later_stage_fails(MeshArrow<IncomingRequest> arrow)
    {
        var server = Serve(
            Stage(arrow, MeshArrow.SizedAnswers, (request, stage) => stage.Lane.Post(() => stage.Out.Emit(request))),
            Arrows.Link(nameof(MeshArrow.HandlerRequests), new FailingStage()));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");
        _client.ExpectNothing(seconds: 1);

        server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("/r");
        ExpectEnd(server, RequestEnd.Failed);
    }

    [Fact]
    public void A_later_answer_that_makes_a_stage_fail_becomes_5_00()
    {
        var server = Serve(
            Stage(MeshArrow.Requests, MeshArrow.SizedAnswers, (request, stage) => stage.Lane.Post(() => stage.Answer(request, Forbidden))),
            Arrows.Link(nameof(MeshArrow.WantedAnswers), new FailingStage()));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");

        ExpectEnd(server, RequestEnd.Failed);
    }

    [Theory, MemberData(nameof(OfRequests))]
    public void A_request_that_a_stage_drops_is_new_when_it_comes_again(MeshArrow<IncomingRequest> arrow)
    {
        var drops = true;
        var server = Serve(Stage(arrow, MeshArrow.SizedAnswers, (request, stage) =>
        {
            if (drops) { stage.Lane.Drop(arrow, request); }
            else { stage.Out.Emit(request); }
        }));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.ExpectNothing(seconds: 1);
        ExpectEnd(server, RequestEnd.Dropped);
        drops = false;
        _client.Send("CON [0x0001] GET /r (Token 0x01)");

        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} '1'");
    }

    [Fact]
    public void Items_are_dropped_on_their_lane_only()
    {
        ILane lane = null!;
        IncomingRequest seen = null!;
        Serve(Stage(MeshArrow.Requests, MeshArrow.SizedAnswers, (request, stage) =>
        {
            (lane, seen) = (stage.Lane, request);
            stage.Out.Emit(request);
        }));
        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        lane.Invoking(one => one.Drop(MeshArrow.Requests, seen)).Should().Throw<InvalidOperationException>().WithMessage("*ILane.Post*");
        new OtherLane().Invoking(one => one.Drop(MeshArrow.Requests, seen)).Should().Throw<ArgumentException>();
        lane.Invoking(one => one.Drop(MeshArrow.Requests, null!)).Should().Throw<ArgumentNullException>();
        lane.Invoking(one => one.Drop(null!, seen)).Should().Throw<ArgumentNullException>();
    }

    [Fact]
    public void An_answer_has_a_request_and_a_response()
    {
        Answer answer = default;
        Serve(MeshLink.Filter(MeshArrow.Answers, one =>
        {
            answer = one;
            return true;
        }));
        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        answer.With(Forbidden).Response.Should().BeSameAs(Forbidden);
        answer.With(Forbidden).Request.Should().BeSameAs(answer.Request);
        answer.Invoking(one => one.With(null!)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(() => new Answer(null!, Forbidden)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(() => new Answer(answer.Request, null!)).Should().Throw<ArgumentNullException>();
    }

    private static MeshLink Stage(MeshArrow<IncomingRequest> arrow, MeshArrow<Answer> answers, Action<IncomingRequest, Deciding> decide) =>
        MeshLink.Stages(lane =>
        {
            var stage = new Deciding(lane.Lane, decide);
            lane.Insert(arrow, stage);
            lane.AddSource(answers, stage.Answers);
        });

    private LaneEnd Serve(params MeshLink[] links) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            _resource = map.At("r").Observable().Get(_ => Response.Content($"{++_calls}"), HandlerMode.Inline);
            map.At("up").StreamsBody().Put(_ => Response.Content($"{++_calls}"), HandlerMode.Inline);
        },
        new() { Links = links });

    private static void ExpectEnd(LaneEnd server, RequestEnd end)
    {
        server.Leftovers.Should().Be(Clean);
        server.Lane.Metrics[end].Should().Be(1);
        Enum.GetValues<RequestEnd>().Sum(way => server.Lane.Metrics[way]).Should().Be(1);
    }

    private sealed class Deciding(ILane lane, Action<IncomingRequest, Deciding> decide) : InlineStage<IncomingRequest, IncomingRequest>
    {
        public ILane Lane => lane;

        public Output<Answer> Answers { get; } = new();

        public void Answer(IncomingRequest request, CoapResponse response) => Answers.Emit(new Answer(request, response));

        protected override void Process(in IncomingRequest item) => decide(item, this);

        protected override void OnCompleted()
        {
            base.OnCompleted();
            Answers.Complete();
        }
    }

    private sealed class OtherLane : ILane
    {
        public TimeSpan Now => default;

        public ILogger Logger => throw new NotSupportedException();

        public void Post(Action action) => throw new NotSupportedException();

        public LaneTimer CreateTimer(Action action) => throw new NotSupportedException();
    }
}
