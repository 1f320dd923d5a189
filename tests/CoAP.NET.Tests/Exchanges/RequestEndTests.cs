using CoAP.Lanes;
using CoAP.Testing;

namespace CoAP.Tests.Exchanges;

/// <summary>Each request has exactly one end, and it is counted once.</summary>
public sealed class RequestEndTests : IDisposable
{
    private const string Group = "224.0.1.187";

    private readonly Wire _wire = new(new ManualTime());
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
    [InlineData("CON [0x0001] GET /broken (Token 0x01)", "ACK [0x0001] 5.00 Internal Server Error (Token 0x01)", nameof(RequestEnd.Failed))]
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
        while (channel!.TryNextMessageId(out var _)) { }

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
}
