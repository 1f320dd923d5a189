using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>Stages of users at the arrows that requests of the endpoint pass, and their responses on the way back.</summary>
public sealed class AskingArrowTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _peer;
    private LaneEnd? _end;

    public static TheoryData<string> All => [.. Arrows.OfAskedRequests];

    public AskingArrowTests() => _peer = ScriptedPeer.Server(_wire);

    public void Dispose()
    {
        _peer.Dispose();
        _end?.Dispose();
    }

    [Fact]
    public async Task A_stage_protects_a_request_and_opens_its_response()
    {
        Begin(static lane =>
        {
            lane.Insert(MeshArrow.EchoedRequests, new Each<OutgoingRequest>(static item =>
                item.With(RequestCode.Post, item.Options.With(new UriQuery("sealed")), Encoding.UTF8.GetBytes($"<{item.Method}>"))));
            lane.Insert(MeshArrow.MatchedResponses, new Each<IncomingResponse>(static item => item.With(Opened(item.Message))));
        });

        var call = _end!.Get("/x");
        _peer.Expect("CON [X] POST /x?sealed (Token T) '<0.01>'");
        _peer.Send("ACK [X] 2.05 Content (Token T) 'closed'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        Encoding.UTF8.GetString((await call).Payload.Span).Should().Be("opened");
    }

    [Fact]
    public void A_method_that_a_stage_has_replaced_is_sent()
    {
        Begin(static lane => lane.Insert(MeshArrow.AskedRequests, new Each<OutgoingRequest>(static item =>
            item.With(RequestCode.Post, item.Options, Encoding.UTF8.GetBytes("sealed")))));

        _ = _end!.Get("/x");

        _peer.Expect("CON [X] POST /x (Token T) 'sealed'");
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_held_request_ends_with_its_lane(string arrow)
    {
        Hold(arrow);
        var call = _end!.Get("/x");
        _wire.RunUntilIdle(TimeSpan.Zero);

        _end.Dispose();

        var failing = () => call;
        await failing.Should().ThrowAsync<CoapTransportException>();
    }

    [Fact]
    public void A_group_request_on_which_a_stage_fails_ends()
    {
        _end = LaneEnd.Client(_wire, new CoapClientSettings { Links = [Arrows.Link(nameof(MeshArrow.AskedRequests), new FailingStage())] });
        _end.ToleratesFaults = true;

        using var request = _end.Multicast(_wire.Server.ToString(), new CoapRequest(RequestCode.Get, "/x") { IsConfirmable = false });
        _wire.RunUntilIdle(TimeSpan.Zero);

        request.Answers.Invoking(static answers => answers.TakeNow()).Should().Throw<CoapTransportException>();
    }

    [Fact]
    [Trait("RFC", "9175 2.3")]
    public async Task A_request_with_a_new_echo_value_is_protected_once_more_and_asked_once()
    {
        var (asked, echoed) = (new Each<OutgoingRequest>(static item => item), new Each<OutgoingRequest>(Counted));
        Begin(lane =>
        {
            lane.Insert(MeshArrow.AskedRequests, asked);
            lane.Insert(MeshArrow.EchoedRequests, echoed);
        });

        var call = _end!.Get("/x");
        _peer.Expect("CON [X] GET /x?1 (Token T)");
        _peer.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        _peer.Expect("CON [Y] GET /x?1 (Token U) {Echo: 0x05}");
        _peer.Send("ACK [Y] 2.05 Content (Token U) 'hot'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        (await call).Code.Should().Be(ResponseCode.Content);
        (asked.Count, echoed.Count).Should().Be((1, 2));

        static OutgoingRequest Counted(OutgoingRequest item) =>
            item.With(item.Method, item.Options.With(new UriQuery("1")), item.Payload);
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_dropped_request_fails_its_call_and_leaves_nothing(string arrow)
    {
        _end = LaneEnd.Client(_wire, new CoapClientSettings { Links = [Arrows.Link(arrow, new FirstDropped())] });

        var call = _end.Get("/x");
        _wire.RunUntilIdle(TimeSpan.Zero);

        await FailsAsync(call, "A stage dropped the request to server.");
        _end.Lane.Exchanges.Count.Should().Be(0);
        _end.Lane.Exchanges.UnsettledCount.Should().Be(0);
        _ = _end.Get("/y");
        _peer.Expect("CON [X] GET /y (Token T)");       // NSTART is free again
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_stage_that_fails_on_a_request_fails_its_call(string arrow)
    {
        _end = LaneEnd.Client(_wire, new CoapClientSettings { Links = [Arrows.Link(arrow, new FailingStage())] });
        _end.ToleratesFaults = true;

        var call = _end.Get("/x");
        _wire.RunUntilIdle(TimeSpan.Zero);

        await FailsAsync(call, "A stage failed on the request to server: a bug in a stage");
        _ = _end.Get("/y");
        _peer.Expect("CON [X] GET /y (Token T)");
    }

    [Theory]
    [InlineData(nameof(MeshArrow.MatchedResponses)), InlineData(nameof(MeshArrow.Responses))]
    public async Task A_stage_that_fails_on_a_response_fails_its_call(string arrow)
    {
        _end = LaneEnd.Client(_wire, new CoapClientSettings { Links = [Arrows.Link(arrow, new FailingStage())] });
        _end.ToleratesFaults = true;

        var call = _end.Get("/x");
        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Send("ACK [X] 2.05 Content (Token T)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        await FailsAsync(call, "A stage failed on the response of server: a bug in a stage");
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_held_request_is_sent_later(string arrow)
    {
        var held = Hold(arrow);

        var call = _end!.Get("/x");
        _wire.RunUntilIdle(TimeSpan.FromSeconds(5));
        _peer.ExpectNothing(TimeSpan.Zero);
        held.Release();

        _peer.Expect("CON [X] GET /x (Token T)");
        _peer.Send("ACK [X] 2.05 Content (Token T)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        (await call).Code.Should().Be(ResponseCode.Content);
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_held_request_ends_with_the_time_of_its_call_and_is_not_sent_afterwards(string arrow)
    {
        var held = Hold(arrow);

        var call = _end!.Send(new CoapRequest(RequestCode.Get, "/x") { Timeout = Limit });
        _wire.RunUntilIdle(Limit + TimeSpan.FromSeconds(1));
        await call.Invoking(static task => task).Should().ThrowAsync<CoapTimeoutException>();
        held.Release();
        _wire.RunUntilIdle(TimeSpan.Zero);

        _peer.ExpectNothing(TimeSpan.Zero);
        _end.Lane.Exchanges.Count.Should().Be(0);
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task A_held_request_whose_caller_has_left_is_not_sent(string arrow)
    {
        using var leaving = new CancellationTokenSource();
        var held = Hold(arrow);
        var call = _end!.Send(new CoapRequest(RequestCode.Get, "/x"), cancellationToken: leaving.Token);
        _wire.RunUntilIdle(TimeSpan.Zero);

        await leaving.CancelAsync();
        _wire.RunUntilIdle(TimeSpan.Zero);
        held.Release();
        _wire.RunUntilIdle(TimeSpan.Zero);

        await call.Invoking(static task => task).Should().ThrowAsync<OperationCanceledException>();
        _peer.ExpectNothing(TimeSpan.Zero);
        _end.Lane.Exchanges.Count.Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "7252 8.2")]
    public void Requests_to_groups_and_the_responses_of_members_pass_the_same_arrows()
    {
        var seen = new List<string>();
        Begin(lane =>
        {
            lane.Insert(MeshArrow.AskedRequests, Note<OutgoingRequest>(seen, "asked"));
            lane.Insert(MeshArrow.AdmittedRequests, Note<OutgoingRequest>(seen, "admitted"));
            lane.Insert(MeshArrow.EchoedRequests, Note<OutgoingRequest>(seen, "echoed"));
            lane.Insert(MeshArrow.MatchedResponses, Note<IncomingResponse>(seen, "matched"));
            lane.Insert(MeshArrow.Responses, Note<IncomingResponse>(seen, "response"));
        });

        using var request = _end!.Multicast(_wire.Server.ToString(), new CoapRequest(RequestCode.Get, "/x") { IsConfirmable = false });
        _peer.Expect("NON [X] GET /x (Token T)");
        _peer.Send("NON [0x0007] 2.05 Content (Token T)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        seen.Should().Equal("asked", "admitted", "echoed", "matched", "response");
    }

    private static CoapMessage Opened(CoapMessage message) =>
        new(message.Type, message.Code, message.MessageId, message.Token, message.Options, "opened"u8.ToArray());

    private static Each<T> Note<T>(List<string> seen, string name) => new(item =>
    {
        seen.Add(name);
        return item;
    });

    private static async Task FailsAsync(Task<CoapResponse> call, string message)
    {
        var failing = () => call;
        (await failing.Should().ThrowAsync<CoapTransportException>()).WithMessage(message);
    }

    private void Begin(Action<LaneBuilder> insert) =>
        _end = LaneEnd.Client(_wire, new CoapClientSettings { Links = [MeshLink.Stages(insert)] });

    private Held Hold(string arrow)
    {
        var held = new Held();
        var place = arrow switch
        {
            nameof(MeshArrow.AskedRequests) => MeshArrow.AskedRequests,
            nameof(MeshArrow.AdmittedRequests) => MeshArrow.AdmittedRequests,
            _ => MeshArrow.EchoedRequests,
        };
        Begin(lane =>
        {
            held.Lane = lane.Lane;
            lane.Insert(place, held);
        });
        return held;
    }

    private sealed class Each<T>(Func<T, T> change) : InlineStage<T, T>
    {
        public int Count { get; private set; }

        protected override void Process(in T item)
        {
            Count++;
            Out.Emit(change(item));
        }
    }

    private sealed class Held : InlineStage<OutgoingRequest, OutgoingRequest>
    {
        private OutgoingRequest _held;

        public ILane? Lane { get; set; }

        public void Release() => Lane!.Post(() => Out.Emit(_held));

        protected override void Process(in OutgoingRequest item)
        {
            if (_held.Options.IsEmpty) { _held = item; }
            else { Out.Emit(item); }
        }
    }
}
