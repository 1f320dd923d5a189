using CoAP.Tests.Mesh;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>What a stage leaves behind that throws, and streams that nobody reads.</summary>
public sealed class FailingStageLeaksTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public FailingStageLeaksTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Theory]
    [InlineData(nameof(MeshArrow.Requests)), InlineData(nameof(MeshArrow.ObservedRequests))]
    [InlineData(nameof(MeshArrow.HandlerRequests)), InlineData(nameof(MeshArrow.Answers))]
    public void A_streamed_upload_gives_its_place_back(string arrow)
    {
        _server = LaneEnd.Server(
            _wire, map => map.At("up").StreamsBody().Put(_ => Response.Changed, HandlerMode.Inline),
            new() { Links = [Arrows.Link(arrow, new FailingStage())], ServerTransfers = new() { MaxBodiesPerPeer = 1 } });
        _client.Send("CON [0x0001] PUT /up?a (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        _client.TakeAll(3600);

        _client.Send("CON [0x0002] PUT /up?b (Token 0x02) {Block1: 0/1/16} '0123456789abcdef'");
        _client.TakeAll(1);

        _client.Received.Should().HaveCount(2);
        _client.Received[0][1].Should().Be(ResponseCode.InternalServerError.Value);
        _client.Received[1][1].Should().Be(ResponseCode.Continue.Value);
    }

    [Theory]
    [InlineData(nameof(MeshArrow.Notifications), 1), InlineData(nameof(MeshArrow.SizedAnswers), 3), InlineData(nameof(MeshArrow.MessagesOut), 3)]
    public void The_observers_of_another_resource_are_notified(string arrow, int at)
    {
        Resource? first = null, second = null;
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                first = map.At("a").Get(_ => Response.Content("A"), HandlerMode.Inline).Observable();
                second = map.At("b").Get(_ => Response.Content("B"), HandlerMode.Inline).Observable();
            },
            new() { Links = [Arrows.Link(arrow, new FailingStage(at))] });
        _server.ToleratesFaults = true;
        using var other = ScriptedPeer.Client(_wire, "other");
        _client.Send("CON [0x0001] GET /a (Token 0x01) {Observe: 0}");
        _client.TakeAll(1);
        other.Send("CON [0x0001] GET /b (Token 0x02) {Observe: 0}");
        other.TakeAll(1);
        var before = other.Received.Count;

        first!.NotifyChanged();
        second!.NotifyChanged();
        other.TakeAll(10);

        other.Received.Count.Should().BeGreaterThan(before);
    }

    [Theory]
    [InlineData(nameof(MeshArrow.Answers)), InlineData(nameof(MeshArrow.ObservedAnswers)), InlineData(nameof(MeshArrow.RobustAnswers))]
    public async Task The_stream_of_an_answer_is_closed(string arrow)
    {
        var body = new WatchedStream();
        _server = LaneEnd.Server(
            _wire, map => map.At("s").Get(_ => Response.Content(body, ContentFormats.OctetStream), HandlerMode.Inline),
            new() { Links = [Arrows.Link(arrow, new FailingStage())] });

        _client.Send("CON [0x0001] GET /s (Token 0x01)");
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");

        await body.Invoking(one => one.Closed.WaitAsync(RawPeer.Patience)).Should().NotThrowAsync();
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task The_stream_of_an_early_answer_is_closed_if_the_upload_does_not_end(bool sendsWrongBlock)
    {
        var body = new WatchedStream();
        _server = LaneEnd.Server(_wire, map => map.At("up").StreamsBody().Post(_ => Response.Content(body, ContentFormats.OctetStream), HandlerMode.Inline));
        _client.Send("CON [0x0001] POST /up (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        _client.TakeAll(1);

        if (sendsWrongBlock) { _client.Send("CON [0x0002] POST /up (Token 0x01) {Block1: 7/1/16} '0123456789abcdef'"); }
        _client.TakeAll(3600);

        await body.Invoking(one => one.Closed.WaitAsync(RawPeer.Patience)).Should().NotThrowAsync();
    }

    [Fact, Trait("RFC", "7641 4.1")]
    public async Task A_stream_is_sent_but_not_observed()
    {
        await using var host = new StreamHost();
        var body = new WatchedStream();
        body.Write("hello"u8);
        body.Position = 0;
        var resource = host.Server.Resources.At("s").Get(_ => Response.Content(body, ContentFormats.OctetStream), HandlerMode.Inline).Observable();
        using var peer = await host.OpenAsync();

        peer.Send("31 01 7a 60 51 73");     // GET s, Observe 0

        (await peer.ReadAsync()).Should().EndWith("ff68656c6c6f");
        await body.Invoking(one => one.Closed.WaitAsync(RawPeer.Patience)).Should().NotThrowAsync();
        resource.ObserverCount.Should().Be(0);
    }
}
