using CoAP.Lanes;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>A synchronous handler moves to its lane when it has been quick, and back when it is slow.</summary>
public sealed class LearnedHandlerTests : IDisposable
{
    private const int EnoughQuickCalls = 64;    // HandlerMode.Learned

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(2.1);

    private readonly ManualClock _time = new();
    private readonly Wire _wire;
    private readonly List<LaneEnd> _servers = [];
    private readonly ScriptedPeer _client;
    private readonly List<bool> _onLane = [];
    private Func<int, bool> _isSlow = static _ => false;
    private int _ids;

    public LearnedHandlerTests()
    {
        _wire = new Wire(_time);
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        foreach (var server in _servers) { server.Dispose(); }
    }

    [Fact]
    public void Quick_calls_move_the_handler_to_its_lane()
    {
        Start(new());

        Ask(EnoughQuickCalls + 10);

        _onLane.Take(EnoughQuickCalls).Should().NotContain(true);
        _onLane.Skip(EnoughQuickCalls).Should().NotContain(false);
    }

    [Fact]
    public void A_server_may_switch_learning_off()
    {
        Start(new() { LearnsHandlers = false });

        Ask(3 * EnoughQuickCalls);

        _onLane.Should().NotContain(true);
    }

    // An attacker chooses identifiers that are not cached.
    [Fact]
    public void Whoever_can_make_a_handler_slow_holds_its_lane_up_nine_times_in_its_life()
    {
        var stalls = 0;
        _isSlow = _ =>
        {
            if (Lane.IsAnyOwnedByCaller) { stalls++; }
            return Lane.IsAnyOwnedByCaller;
        };
        Start(new());

        Ask(1000);

        stalls.Should().Be(9);
        _onLane.TakeLast(100).Should().NotContain(true);
    }

    [Fact]
    public void A_handler_that_is_slow_on_its_thread_never_moves()
    {
        _isSlow = static call => call % (EnoughQuickCalls / 2) == 0;
        Start(new());

        Ask(10 * EnoughQuickCalls);

        _onLane.Should().NotContain(true);
    }

    // An attacker needs no permission to make such requests.
    [Fact]
    public void Requests_that_a_step_answers_say_nothing_about_the_handler()
    {
        Start(new(), next => (request, cancellationToken) => _ids <= 2 * EnoughQuickCalls
            ? new(Response.Error(ResponseCode.Forbidden, "not you"))
            : next(request, cancellationToken));

        Ask((2 * EnoughQuickCalls) + 1);

        _onLane.Should().Equal(false);
    }

    [Fact]
    public void Requests_whose_conditions_do_not_hold_say_nothing_about_the_handler()
    {
        _servers.Add(LaneEnd.Server(_wire, map => map.At("r").Get(Handle).WithTag(_ => new ETag(new byte[] { 1 })), new()));

        Ask(2 * EnoughQuickCalls, " {ETag: 0x01}");
        Ask(1);

        _onLane.Should().Equal(false);
    }

    // It waits for others who change the path, perhaps for long.
    [Fact]
    public void A_handler_that_takes_its_turn_stays_on_handler_threads()
    {
        _servers.Add(LaneEnd.Server(_wire, map => map.At("r").Put(Handle).WithTag(_ => new ETag(new byte[] { 1 })), new()));

        Ask(2 * EnoughQuickCalls, method: "PUT");

        _onLane.Should().HaveCount(2 * EnoughQuickCalls).And.NotContain(true);
    }

    // If it waited for the response, its lane would stop for ever.
    [Fact]
    public void A_handler_that_asks_its_peer_fails_once_on_its_lane_and_stays_on_handler_threads()
    {
        Exception? told = null;
        _servers.Add(LaneEnd.Server(_wire, map => map.At("r").Get(request =>
        {
            _onLane.Add(Lane.IsAnyOwnedByCaller);
            if (_onLane.Count <= EnoughQuickCalls) { return Response.Content("cached"); }
            told ??= request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/level")).AsTask().Exception?.InnerException;
            return Response.Content("not cached");
        })));

        Ask(2 * EnoughQuickCalls);

        told!.Message.Should().Contain("HandlerMode.Buffered");
        _onLane.Count(static isOnLane => isOnLane).Should().Be(1);
    }

    [Fact]
    public void A_handler_that_asks_its_peer_on_a_handler_thread_never_moves()
    {
        _servers.Add(LaneEnd.Server(_wire, map => map.At("r").Get(request =>
        {
            _onLane.Add(Lane.IsAnyOwnedByCaller);
            if (_onLane.Count == 1) { _ = request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/level")).AsTask(); }
            return Response.Content("cached");
        })));

        Ask(3 * EnoughQuickCalls);

        _onLane.Should().NotContain(true);
    }

    [Fact]
    public void Further_requests_do_not_postpone_the_look_at_those_before_them()
    {
        using var gate = new ManualResetEventSlim();
        var blocks = false;
        _servers.Add(LaneEnd.Server(_wire, map => map.At("r").Get(
            _ =>
            {
                if (blocks) { gate.Wait(Patience); }
                return Response.Content("here");
            },
            HandlerMode.Buffered)));
        Ask(EnoughQuickCalls);
        blocks = true;
        Send();
        var look = _servers[0].NextDeadline;
        look.Should().NotBeNull();

        _time.Advance(TimeSpan.FromMilliseconds(0.5));
        Send();

        _servers[0].NextDeadline.Should().Be(look);
        gate.Set();
        Finish();
    }

    private void Start(CoapServerSettings settings, params Func<RequestDelegate, RequestDelegate>[] steps) =>
        _servers.Add(LaneEnd.Server(_wire, map => map.At("r").Get(Handle), settings, steps));

    private CoapResponse Handle(IncomingRequest request)
    {
        _onLane.Add(Lane.IsAnyOwnedByCaller);
        if (_isSlow(_onLane.Count)) { _time.Advance(Slow); }
        return Response.Content("here");
    }

    private void Ask(int times, string options = "", string method = "GET")
    {
        for (var i = 0; i < times; i++)
        {
            Send(options, method);
            Finish();
        }
    }

    private void Send(string options = "", string method = "GET")
    {
        _client.Send($"NON [0x{++_ids:x4}] {method} /r (Token 0x01){options}");
        _wire.RunUntilIdle(TimeSpan.Zero);
    }

    // The handler may be on a thread of its own.
    private void Finish()
    {
        while (_servers[0].Lane.PendingRequests > 0)
        {
            _servers[0].AwaitWork();
            _wire.RunUntilIdle(TimeSpan.Zero);
        }
    }
}
