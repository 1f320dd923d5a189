using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Runtimes;
using CoAP.TestSupport;

namespace CoAP.Tests.Lanes;

/// <summary>The end of several lanes, of which one has a defect and another one is blocked by user code.</summary>
public sealed class BlockedShutdownTests
{
    [Fact]
    public async Task A_blocked_lane_does_not_hide_the_defect_of_another()
    {
        var time = new ManualClock();
        using var log = new TestLog();
        var parts = new EndpointParts(new CoapServerSettings { LoggerFactory = log, TimeProvider = time }, null, [], CancellationToken.None);
        using var lane = LaneMesh.Over(new InMemoryNetwork().OpenDatagrams(PeerIdentity.From("a")), parts, out _);
        var blocked = new TaskCompletionSource();
        (ExchangeLane, LaneRunner)[] lanes = [(lane, new Stub(Task.FromException(new NotSupportedException("A defect.")))), (lane, new Stub(blocked.Task))];

        var stopped = lanes.StopAsync(time);
        stopped.IsCompleted.Should().BeFalse("a lane is blocked");
        time.Advance(TimeSpan.FromSeconds(3));

        await stopped.Awaiting(one => one.WaitAsync(TimeSpan.FromMinutes(1))).Should().ThrowAsync<NotSupportedException>();
        lane.End();
    }

    private sealed class Stub(Task ended) : LaneRunner(EndpointRuntime.Threads)
    {
        public override void Wake()
        {
        }

        public override void Start()
        {
        }

        public override Task StopAsync() => ended;
    }
}
