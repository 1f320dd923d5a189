using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Streams;

namespace CoAP.Tests.Lanes;

public sealed class PooledRunnerTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task The_pool_does_not_wait_for_a_thread_that_waits_in_its_turn_and_its_work_is_not_lost()
    {
        var settings = new CoapServerSettings();
        var parts = new EndpointParts(settings, null, [], CancellationToken.None);
        using var lane = new StreamLane(settings.ForStreamLanes(parts.Lane, parts.Ledger), static (_, _) => { }, new LargeRequestBudget(1), isShared: false);
        var runner = new PooledRunner(lane);
        lane.RunBy(runner);
        using var inTurn = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var waiting = new Thread(() => lane.RunHere(new LaneAction(() => { inTurn.Set(); goOn.Wait(Patience); })));

        waiting.Start();
        inTurn.Wait(Patience);
        lane.Post(new LaneAction(done.SetResult));
        var ofThePool = Task.Run(((IThreadPoolWorkItem)runner).Execute);
        var hasComeBack = await Task.WhenAny(ofThePool, Task.Run(() => goOn.WaitHandle.WaitOne(Patience / 2))) == ofThePool;
        goOn.Set();
        await done.Task.WaitAsync(Patience);

        hasComeBack.Should().BeTrue();
        waiting.Join();
        await runner.StopAsync().WaitAsync(Patience);
    }
}
