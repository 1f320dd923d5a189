using CoAP.Options;
using CoAP.Tests.Streams;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Siege;

/// <summary>Peers that provoke the same log line again and again: one line for each reason and resource in ten seconds.</summary>
public sealed class RepeatedLogLinesTests : IDisposable
{
    private const int Many = 10_000;

    private readonly ManualClock _time = new();
    private readonly Wire _wire;
    private readonly TestLog _log = new();
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public RepeatedLogLinesTests() => _client = ScriptedPeer.Client(_wire = new Wire(_time));

    /// <summary>What a resource or a stage does wrong, and how its log line begins.</summary>
    public static TheoryData<string, string> Faults => new()
    {
        { "throws", "The handler of /" },
        { "null", "The handler of /" },
        { "body", "The response of /" },
        { "message", "The response to request" },
        { "stage", "A stage failed for request" },
        { "early", "A stage failed for a message" },
        { "filter", "A block or predicate" },
    };

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
        _log.Dispose();
    }

    [Fact]
    public void A_throwing_handler_writes_one_line_for_ten_thousand_datagrams()
    {
        var server = Serve("throws");

        for (var i = 0; i < Many; i++) { Get("things", i); }

        server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().StartWith("The handler of /things/0 failed");
        server.Log.Exceptions.Should().ContainSingle();
    }

    [Theory, MemberData(nameof(Faults))]
    public void The_next_line_comes_after_ten_seconds_with_the_number_of_held_lines(string fault, string start)
    {
        var server = Serve(fault);

        for (var i = 0; i < 100; i++) { Get("things", i); }
        server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().StartWith(start).And.NotContain("since the last one");
        _wire.RunFor(TimeSpan.FromSeconds(10));
        for (var i = 0; i < 100; i++) { Get("things", 100 + i); }

        server.Log.Lines(LogLevel.Warning).Should().HaveCount(2);
        server.Log.Lines(LogLevel.Warning).Last().Should().StartWith(start).And.Contain("since the last one: 99.");
    }

    [Theory, InlineData("throws"), InlineData("null"), InlineData("body"), InlineData("stage")]
    public void Each_resource_has_its_own_line(string fault)
    {
        var server = Serve(fault);

        for (var i = 0; i < 100; i++) { Get(i % 2 == 0 ? "things" : "others", i); }

        var lines = server.Log.Lines(LogLevel.Warning).ToList();
        lines.Should().HaveCount(2);
        (lines[0].Contains("/things/", StringComparison.Ordinal), lines[1].Contains("/others/", StringComparison.Ordinal)).Should().Be((true, true));
    }

    [Theory, InlineData(ServerMode.Async), InlineData(ServerMode.Sync)]
    public async Task All_connections_of_a_server_share_the_line(ServerMode mode)
    {
        await using var host = new StreamHost(settings => settings with { LoggerFactory = _log, TimeProvider = _time, Mode = mode });
        host.Server.Resources.At("throws").Get(_ => throw new FormatException("as told"), HandlerMode.Inline);

        for (var i = 0; i < 100; i++)
        {
            using var peer = await host.OpenAsync();
            peer.Send("71 01 7a b6 7468726f7773");          // GET throws
            (await peer.ReadAsync()).Should().Contain("a07aff");
        }

        _log.Lines(LogLevel.Warning).Should().ContainSingle();
    }

    private LaneEnd Serve(string fault)
    {
        var server = _server = LaneEnd.Server(_wire, map => { Map(map.At("things/{id}"), fault); Map(map.At("others/{id}"), fault); }, Settings(fault));
        server.ToleratesFaults = true;
        return server;
    }

    private void Get(string collection, int id)
    {
        _client.Send($"NON [0x{id + 1:x4}] GET /{collection}/{id} (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
    }

    private static void Map(Resource resource, string fault) => resource.Get(_ => fault switch
    {
        "throws" => throw new FormatException("as told"),
        "null" => null!,
        "body" => Response.Content(new byte[12_000], ContentFormats.OctetStream),
        "message" => new CoapResponse(ResponseCode.Content) { Options = [.. Enumerable.Repeat(new LocationQuery(new string('x', 200)), 10)] },
        _ => Response.Changed,
    }, HandlerMode.Inline);

    private static CoapServerSettings Settings(string fault) => new()
    {
        Amplification = new AmplificationSettings { IsLimited = false },
        ServerTransfers = new ServerTransferSettings { MaxBodySize = 10_000 },
        Links = fault switch
        {
            "stage" => [MeshLink.Stages(lane => lane.Insert(MeshArrow.Answers, new Failing<Answer>()))],
            "early" => [MeshLink.Stages(lane => lane.Insert(MeshArrow.FramesIn, new Failing<Frame>()))],
            "filter" => [MeshLink.Filter(MeshArrow.HandlerRequests, _ => throw new FormatException("as told"))],
            _ => [],
        },
    };

    private sealed class Failing<T> : InlineStage<T, T>
    {
        protected override void Process(in T item) => throw new FormatException("as told");
    }
}
