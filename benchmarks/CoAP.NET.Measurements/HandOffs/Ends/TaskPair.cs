using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>Two ends that await, on the runtime's thread pool.</summary>
/// <param name="turn">There and back.</param>
/// <param name="end">Ends the echo.</param>
internal sealed class TaskPair<TTurn>(TTurn turn, Action end) : IPair
    where TTurn : struct, IAwaitedTurn
{
    // The caller waits here and does nothing else: the ends are both on the pool.
    public HandOffRun Run(int turns, Latencies all) => Task.Run(() => HandOffLoop.RunAsync(turn, turns, all)).GetAwaiter().GetResult();

    public void Dispose() => end();
}
