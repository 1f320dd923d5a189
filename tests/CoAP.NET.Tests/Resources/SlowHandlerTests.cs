using CoAP.Lanes;
using CoAP.Resources;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>An inline handler that takes long moves to the handler threads, unless its thread only lost the time to others.</summary>
public sealed class SlowHandlerTests : IDisposable
{
    private static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(3);

    private readonly ManualClock _time = new();
    private readonly Wire _wire;
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _resource = null!;
    private bool _isLost;
    private TimeSpan _lost;
    private int _ids;

    public SlowHandlerTests()
    {
        _wire = new Wire(_time);
        _server = LaneEnd.Server(_wire, map => _resource = map.At("r").Get(Handle, HandlerMode.Inline), new CoapServerSettings { LostTime = () => _lost });
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void Three_slow_calls_move_a_handler_to_the_handler_threads()
    {
        Ask(2);
        IsBuffered.Should().BeFalse();

        Ask(1);

        IsBuffered.Should().BeTrue();
    }

    [Fact]
    public void Time_that_the_thread_lost_to_others_does_not_make_a_handler_slow()
    {
        _isLost = true;

        Ask(100);

        IsBuffered.Should().BeFalse();
    }

    [Fact]
    public void A_handler_that_is_slow_among_calls_on_a_loaded_host_is_found()
    {
        _isLost = true;
        Ask(5);
        _isLost = false;

        Ask(3 + (int)(RecentLosses.MaxAge / Slow));     // a value of this age can hide this many slow calls

        IsBuffered.Should().BeTrue();
    }

    [Theory]
    [InlineData("0 1194686 1\n", 1_194_600)]
    [InlineData("4711 0 3\n", 0)]
    [InlineData("", 0)]
    public void The_time_in_the_queue_is_the_second_number_of_the_kernel(string schedule, long nanoseconds) =>
        (ThreadDelays.Parse(System.Text.Encoding.ASCII.GetBytes(schedule)).Ticks * 100).Should().Be(nanoseconds);

    [Fact]
    public void The_lost_time_of_a_thread_never_decreases()
    {
        var before = ThreadDelays.Read();

        ThreadDelays.Read().Should().BeGreaterThanOrEqualTo(before);
    }

    private bool IsBuffered => _resource.Find(RequestCode.Get)!.IsBuffered;

    private CoapResponse Handle(IncomingRequest request)
    {
        _time.Advance(Slow);
        if (_isLost) { _lost += Slow; }
        return Response.Content("here");
    }

    private void Ask(int times)
    {
        for (var i = 0; i < times; i++)
        {
            _client.Send($"NON [0x{++_ids:x4}] GET /r (Token 0x01)");
            _wire.RunUntilIdle(TimeSpan.Zero);
        }
    }
}
