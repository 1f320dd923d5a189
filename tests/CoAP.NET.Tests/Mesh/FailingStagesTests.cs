using CoAP.Lanes;
using CoAP.Tests.Streams;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Mesh;

/// <summary>A stage that throws on the way of a request or of its answer: the request ends with 5.00 and is released.</summary>
public sealed class FailingStagesTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly TestLog _log = new();
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public FailingStagesTests() => _client = ScriptedPeer.Client(_wire);

    /// <summary>The arrows before the message is known to be a request.</summary>
    public static TheoryData<string> OfMessages =>
    [
        nameof(MeshArrow.FramesIn), nameof(MeshArrow.AdmittedFrames), nameof(MeshArrow.MessagesIn), nameof(MeshArrow.NewMessages), nameof(MeshArrow.RequestMessages),
    ];

    public static TheoryData<string> OfRequestsAndAnswers =>
    [
        nameof(MeshArrow.UnderstoodRequests), nameof(MeshArrow.FreshRequests), nameof(MeshArrow.AuthorizedRequests), nameof(MeshArrow.RobustRequests),
        nameof(MeshArrow.Requests), nameof(MeshArrow.HandlerRequests), .. Backwards,
    ];

    public static TheoryData<string> OfAnswers => [.. Backwards];

    private static string[] Backwards =>
    [
        nameof(MeshArrow.Answers), nameof(MeshArrow.ObservedAnswers), nameof(MeshArrow.RobustAnswers), nameof(MeshArrow.SizedAnswers), nameof(MeshArrow.WantedAnswers),
        nameof(MeshArrow.AllowedAnswers), nameof(MeshArrow.DueAnswers), nameof(MeshArrow.Replies), nameof(MeshArrow.MessagesOut), nameof(MeshArrow.FramesOut),
    ];

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
        _log.Dispose();
    }

    [Theory, MemberData(nameof(OfMessages))]
    public void A_datagram_is_dropped_if_a_stage_before_the_request_fails(string arrow)
    {
        var server = Serve(Arrows.Link(arrow, new FailingStage()));
        server.ToleratesFaults = true;

        _client.Send("CON [0x0001] GET /hello (Token 0x01)");
        _client.ExpectNothing(seconds: 1);
        _client.Send("CON [0x0002] GET /hello (Token 0x02)");
        _client.Expect("ACK [0x0002] 2.04 Changed (Token 0x02)");

        server.Log.Lines(LogLevel.Warning).Should().ContainSingle();
        server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Theory, MemberData(nameof(OfRequestsAndAnswers)), Trait("RFC", "7252 5.9.3.1")]
    public void A_request_in_a_datagram_ends_with_5_00(string arrow)
    {
        var server = Serve(Arrows.Link(arrow, new FailingStage()));

        _client.Send("CON [0x0001] GET /hello (Token 0x01)");
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");
        _client.ExpectNothing(seconds: 1);

        ExpectOneFailure(server, "/hello");
    }

    [Theory, MemberData(nameof(OfAnswers))]
    public void A_late_answer_becomes_5_00(string arrow)
    {
        var server = Serve(Arrows.Link(arrow, new FailingStage()));

        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        _late.Answer(Response.Changed);
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");
        _client.ExpectNothing(seconds: 1);

        ExpectOneFailure(server, "/late");
    }

    [Theory, MemberData(nameof(OfRequestsAndAnswers))]
    public async Task A_request_over_a_connection_ends_with_5_00(string arrow)
    {
        // The first message and frame of a connection is the CSM.
        var isOfMessages = arrow is nameof(MeshArrow.MessagesOut) or nameof(MeshArrow.FramesOut);
        await using var host = new StreamHost(settings => settings with
        {
            LoggerFactory = _log,
            Links = [Arrows.Link(arrow, new FailingStage(at: isOfMessages ? 2 : 1))],
        });
        using var peer = await host.OpenAsync();

        peer.Send("31 01 7a b2 6869");      // GET hi
        (await peer.ReadAsync()).Should().Contain("a07aff");
        peer.Send("31 01 7b b2 6869");
        (await peer.ReadAsync()).Should().Be("41457bc0ff6869");

        _log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("/hi");
    }

    [Theory, MemberData(nameof(OfRequestsAndAnswers)), Trait("RFC", "7252 5.9.3.1")]
    public void A_request_that_a_block_gave_back_ends_with_5_00(string arrow)
    {
        var server = Serve(Arrows.Link(nameof(MeshArrow.UnderstoodRequests), new Through()), Arrows.Link(arrow, new FailingStage()));
        server.DiscardWork();

        _client.Send("CON [0x0001] GET /hello (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        server.AwaitWork();

        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");
        _client.ExpectNothing(seconds: 1);
        ExpectOneFailure(server, "/hello");
    }

    private LaneEnd Serve(params MeshLink[] links) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            map.At("hello").Get(_ => Response.Changed, HandlerMode.Inline);
            map.At("late").Get(_late.HandleAsync);
        },
        new() { Links = links });

    private static void ExpectOneFailure(LaneEnd server, string resource)
    {
        server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain(resource);
        server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
        server.Lane.Metrics[RequestEnd.Failed].Should().Be(1);
        Enum.GetValues<RequestEnd>().Sum(end => server.Lane.Metrics[end]).Should().Be(1);
    }
}
