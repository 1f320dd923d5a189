using CoAP.Lanes;
using CoAP.Tests.Mesh;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>Each request has exactly one end, and it is counted once.</summary>
public sealed class RequestEndTests : IDisposable
{
    private const string Group = "224.0.1.187";

    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public RequestEndTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Theory]
    [InlineData("CON [0x0001] GET /hello (Token 0x01)", "ACK [0x0001] 2.04 Changed (Token 0x01)", nameof(RequestEnd.Answered))]
    [InlineData("NON [0x0001] GET /hello (Token 0x01)", "NON [X] 2.04 Changed (Token 0x01)", nameof(RequestEnd.Answered))]
    [InlineData("CON [0x0001] GET /missing (Token 0x01)", "ACK [0x0001] 4.04 Not Found (Token 0x01)", nameof(RequestEnd.Refused))]
    [InlineData("CON [0x0001] PUT /hello (Token 0x01)", "ACK [0x0001] 4.05 Method Not Allowed (Token 0x01)", nameof(RequestEnd.Refused))]
    [InlineData("CON [0x0001] GET /forbidden (Token 0x01)", "ACK [0x0001] 4.03 Forbidden (Token 0x01)", nameof(RequestEnd.Answered))]
    [InlineData("CON [0x0001] GET /broken (Token 0x01)", "ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'", nameof(RequestEnd.Failed))]
    public void An_answer_at_once_is_one_end(string request, string answer, string end)
    {
        var server = Serve();

        _client.Send(request);
        _client.Expect(answer);

        ExpectOnly(Enum.Parse<RequestEnd>(end), server);
    }

    [Fact]
    public void A_late_answer_is_one_end()
    {
        var server = Serve();

        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _client.Expect("ACK [0x0001] 0.00");
        ExpectNone(server);
        _late.Answer(Response.Changed);
        _client.Expect("CON [X] 2.04 Changed (Token 0x01)");
        _client.Send("ACK [X] 0.00");
        _wire.RunUntilIdle(TimeSpan.Zero);

        ExpectOnly(RequestEnd.AnsweredLater, server);
    }

    [Fact]
    public async Task A_request_is_lost_if_the_endpoint_ends_before_its_handler()
    {
        var server = Serve();
        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        server.Dispose();
        ExpectOnly(RequestEnd.Lost, server);

        var body = new WatchedStream();
        _late.Answer(Response.Content(body, ContentFormats.OctetStream));
        await body.Closed.WaitAsync(TimeSpan.FromMinutes(1));
        ExpectOnly(RequestEnd.Lost, server);
    }

    [Fact]
    public void A_non_confirmable_answer_without_a_free_message_id_is_dropped()
    {
        var server = Serve();
        _client.Send("NON [0x0001] GET /hello (Token 0x01)");
        _client.Expect("NON [X] 2.04 Changed (Token 0x01)");
        var open = server.Send(new CoapRequest(RequestCode.Get, "/x"), _client.Self);      // makes the lane remember the peer
        _wire.RunUntilIdle(TimeSpan.Zero);
        server.Lane.Channels.TryFind(new(_client.Self, server.Lane.LocalFor(_client.Self)), out var channel).Should().BeTrue();
        while (channel!.TryNextMessageId(channel.Key, out _)) { }

        _client.Send("NON [0x0002] GET /hello (Token 0x02)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        open.IsCompleted.Should().BeFalse();
        server.Lane.Metrics[RequestEnd.Dropped].Should().Be(1);
        Enum.GetValues<RequestEnd>().Sum(way => server.Lane.Metrics[way]).Should().Be(2);
    }

    [Fact, Trait("RFC", "7252 8.2")]
    public void An_answer_that_a_group_does_not_get_is_suppressed()
    {
        using var client = ScriptedPeer.ClientOf(_wire, Group, "commissioner");
        var member = Join(new MulticastSettings { Leisure = TimeSpan.Zero });

        client.Send("NON [0x0001] GET /missing (Token 0x01)");
        client.ExpectNothing(seconds: 60);

        ExpectOnly(RequestEnd.Suppressed, member);
    }

    [Fact, Trait("RFC", "7252 8.2")]
    public void An_answer_to_a_group_ends_its_request_after_the_leisure()
    {
        using var client = ScriptedPeer.ClientOf(_wire, Group, "commissioner");
        var member = Join(new MulticastSettings { Leisure = TimeSpan.FromSeconds(5) });

        client.Send("NON [0x0001] GET /hello (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        ExpectNone(member);
        member.Lane.PendingRequests.Should().Be(1);
        _wire.RunFor(TimeSpan.FromSeconds(5));

        ExpectOnly(RequestEnd.Answered, member);
        member.Lane.PendingRequests.Should().Be(0);
    }

    [Fact]
    public void An_answer_to_a_group_is_lost_if_the_endpoint_ends_during_the_leisure()
    {
        using var client = ScriptedPeer.ClientOf(_wire, Group, "commissioner");
        var member = Join(new MulticastSettings { Leisure = TimeSpan.FromSeconds(5) });
        client.Send("NON [0x0001] GET /hello (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        member.Dispose();

        ExpectOnly(RequestEnd.Lost, member);
    }

    [Fact, Trait("RFC", "7641 4.2")]
    public void The_end_of_an_observation_reaches_a_client_that_registered_with_a_group()
    {
        using var client = ScriptedPeer.ClientOf(_wire, Group, "commissioner");
        Resource? state = null;
        _server = LaneEnd.Member(
            _wire, "member", map => state = map.At("state").Get(_ => Response.Content("1"), HandlerMode.Inline).Observable().AnswersMulticast(),
            new() { Multicast = new() { Leisure = TimeSpan.Zero } });
        client.Send("NON [0x0001] GET /state (Token 0x01) {Observe: 0}");
        client.TakeAll(1);
        state!.ObserverCount.Should().Be(1);

        state!.EndObservations(ResponseCode.NotFound);
        client.TakeAll(600);

        client.Received.Should().Contain(message => message[1] == ResponseCode.NotFound.Value);
        state!.ObserverCount.Should().Be(0);
    }

    [Theory]
    [InlineData(nameof(MeshArrow.AllowedAnswers)), InlineData(nameof(MeshArrow.Replies)), InlineData(nameof(MeshArrow.MessagesOut))]
    public void A_separate_answer_that_a_stage_refuses_to_send_is_sent_as_5_00_only(string arrow)
    {
        var isOfMessages = arrow is nameof(MeshArrow.MessagesOut);     // the first message out is the empty acknowledgement
        var server = _server = LaneEnd.Server(_wire, Map, new() { Links = [Arrows.Link(arrow, new FailingStage(at: isOfMessages ? 2 : 1))] });

        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _client.Expect("ACK [0x0001] 0.00");
        _late.Answer(Response.Changed);
        _client.Expect("CON [X] 5.00 Internal Server Error (Token 0x01) '*'");
        _client.Send("ACK [X] 0.00");
        _client.ExpectNothing(seconds: 200);

        ExpectOnly(RequestEnd.Failed, server);
        server.Lane.Exchanges.UnsettledCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "7252 5.4.1")]
    public void A_refusal_that_a_stage_fails_to_send_becomes_5_00()
    {
        var server = _server = LaneEnd.Server(_wire, Map, new() { Links = [Arrows.Link(nameof(MeshArrow.SizedAnswers), new FailingStage())] });

        _client.SendBytes("41 01 0001 7a b5 68656c6c6f e0 fcd1");      // GET /hello with the critical option 65001
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x7a) '*'");

        ExpectOnly(RequestEnd.Failed, server);
    }

    [Theory]
    [InlineData("CON [0x0001] GET /hello (Token 0x01)", "ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'")]
    [InlineData("NON [0x0001] GET /hello (Token 0x01)", "NON [X] 5.00 Internal Server Error (Token 0x01) '*'")]
    public void A_request_fails_if_its_answer_does_not_fit_into_a_datagram(string request, string answer)
    {
        var server = _server = LaneEnd.Server(
            _wire, Map, new() { Links = [MeshLink.Stages(static lane => lane.Insert(MeshArrow.Replies, new Growing()))] });

        _client.Send(request);
        _client.Expect(answer);

        ExpectOnly(RequestEnd.Failed, server);
    }

    [Fact]
    public void An_answer_to_a_group_passes_a_users_block_after_its_leisure()
    {
        using var client = ScriptedPeer.ClientOf(_wire, Group, "commissioner");
        var due = new List<TimeSpan>();
        var member = _server = LaneEnd.Member(
            _wire, "member", Map,
            new()
            {
                Multicast = new() { Leisure = TimeSpan.FromSeconds(5) },
                Links = [MeshLink.Filter(MeshArrow.DueAnswers, _ => { due.Add(_wire.Time.Elapsed); return true; })],
            });

        client.Send("NON [0x0001] GET /hello (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        due.Should().BeEmpty();
        _wire.RunFor(TimeSpan.FromSeconds(5));

        due.Should().ContainSingle().Which.Should().BePositive();
        ExpectOnly(RequestEnd.Answered, member);
    }

    [Fact]
    public void An_answer_to_a_group_that_fails_after_its_leisure_ends_the_request()
    {
        using var client = ScriptedPeer.ClientOf(_wire, Group, "commissioner");
        var member = _server = LaneEnd.Member(
            _wire, "member", Map,
            new() { Multicast = new() { Leisure = TimeSpan.FromSeconds(5) }, Links = [Arrows.Link(nameof(MeshArrow.Replies), new FailingStage())] });

        client.Send("NON [0x0001] GET /hello (Token 0x01)");
        _wire.RunFor(TimeSpan.FromSeconds(60));

        ExpectOnly(RequestEnd.Dropped, member);
    }

    private LaneEnd Serve() => _server = LaneEnd.Server(_wire, Map);

    private LaneEnd Join(MulticastSettings settings) => _server = LaneEnd.Member(_wire, "member", Map, new() { Multicast = settings });

    private void Map(ResourceMap resources)
    {
        resources.At("hello").Get(_ => Response.Changed, HandlerMode.Inline).AnswersMulticast(MulticastAnswers.Successes);
        resources.At("forbidden").Get(_ => Response.Error(ResponseCode.Forbidden), HandlerMode.Inline);
        resources.At("broken").Get((Func<IncomingRequest, CoapResponse>)(_ => throw new InvalidOperationException("broken")), HandlerMode.Inline);
        resources.At("late").Get(_late.HandleAsync);
    }

    private static void ExpectNone(LaneEnd server) => Enum.GetValues<RequestEnd>().Sum(way => server.Lane.Metrics[way]).Should().Be(0);

    private static void ExpectOnly(RequestEnd end, LaneEnd server)
    {
        server.Lane.Metrics[end].Should().Be(1);
        Enum.GetValues<RequestEnd>().Sum(way => server.Lane.Metrics[way]).Should().Be(1);
        server.Lane.PendingRequests.Should().Be(0);
    }

    /// <summary>Replaces every answer by one that is too large for any datagram.</summary>
    private sealed class Growing : InlineStage<OutgoingMessage, OutgoingMessage>
    {
        protected override void Process(in OutgoingMessage item)
        {
            var message = item.Message;
            Out.Emit(item.With(new CoapMessage(message.Type, message.Code, message.MessageId, message.Token, message.Options, new byte[100_000])));
        }
    }
}
