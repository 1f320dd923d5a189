using CoAP.Tests.Streams;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Mesh;

/// <summary>Handlers and steps that return <see langword="null"/>: each request ends with 5.00.</summary>
public sealed class NullAnswersTests : IDisposable
{
    private const int Many = 2000;

    private readonly Wire _wire = new(new ManualClock());
    private readonly TestLog _log = new();
    private readonly LateAnswer _late = new();
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public NullAnswersTests() => _client = ScriptedPeer.Client(_wire);

    public static TheoryData<string> Kinds => ["inline", "async", "buffered", "step", "async step"];

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
        _log.Dispose();
    }

    [Theory, MemberData(nameof(Kinds)), Trait("RFC", "7252 5.9.3.1")]
    public void A_request_in_a_datagram_gets_5_00(string kind)
    {
        _server = LaneEnd.Server(_wire, map => Map(map, kind), settings: null, Steps(kind));
        _server.DiscardWork();

        _client.Send("CON [0x0001] GET /null (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        if (kind == "buffered") { _server.AwaitWork(); }
        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");

        _server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("/null");
        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "7252 5.2.2")]
    public void A_late_null_gets_5_00_in_a_separate_response()
    {
        _server = LaneEnd.Server(_wire, map => map.At("null").Get(_late.HandleAsync));

        _client.Send("CON [0x0001] GET /null (Token 0x01)");
        _client.Expect("ACK [0x0001]");
        _late.Answer(null!);
        _client.Expect("CON [X] 5.00 Internal Server Error (Token 0x01) '*'");
        _client.Send("ACK [X]");
        _client.ExpectNothing(seconds: 1);

        _server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("/null");
        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    // A request that is not released would fill one of the two places.
    [Theory, MemberData(nameof(Kinds))]
    public async Task Two_thousand_requests_over_one_connection_get_5_00_and_it_lives_on(string kind)
    {
        await using var host = Start(kind);
        using var peer = await host.OpenAsync();

        for (var i = 0; i < Many; i++)
        {
            peer.Send("51 01 7a b4 6e756c6c");          // GET null
            (await peer.ReadAsync()).Should().Contain("a07aff", "request {0}", i);
        }
        peer.Send("01 e2 42");                          // Ping

        (await peer.ReadAsync()).Should().Be("01e342");
        _log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("/null");
    }

    private StreamHost Start(string kind)
    {
        var host = new StreamHost(
            settings => settings with { LoggerFactory = _log, TimeProvider = _wire.Time, MaxPendingRequests = 2, Stream = settings.Stream with { MaxRequestsInProgress = 2 } }, Steps(kind));
        Map(host.Server.Resources, kind);
        return host;
    }

    private static void Map(ResourceMap map, string kind)
    {
        var resource = map.At("null");
        switch (kind)
        {
            case "inline": resource.Get(_ => null!, HandlerMode.Inline); break;
            case "buffered": resource.Get(_ => null!); break;
            case "async": resource.Get((_, _) => new((CoapResponse)null!)); break;
            default: resource.Get(_ => Response.Changed, HandlerMode.Inline); break;
        }
    }

    private static Func<RequestDelegate, RequestDelegate>[] Steps(string kind) => kind switch
    {
        "step" => [_ => (_, _) => new((CoapResponse)null!)],
        "async step" => [next => async (request, cancellationToken) =>
        {
            await next(request, cancellationToken);
            return null!;
        }],
        _ => [],
    };
}
