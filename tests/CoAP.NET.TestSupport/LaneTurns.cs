using CoAP.Lanes;

namespace CoAP.TestSupport;

/// <summary>Gives the lanes of a running server turns, so that a test waits for what the lanes have done and not for time.</summary>
internal static class LaneTurns
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    /// <summary>Gives each lane so many turns. What was on the way to a lane before has been looked at by then.</summary>
    public static async Task TakeTurnsAsync(this CoapServer server, int turns)
    {
        for (var turn = 0; turn < turns; turn++) { await Task.WhenAll(server.Lanes.Select(NextTurnOf)).WaitAsync(Patience); }
    }

    /// <summary>Gives the lanes turns until a condition holds.</summary>
    /// <exception cref="TimeoutException">The condition did not hold within a minute.</exception>
    public static async Task TakeTurnsUntilAsync(this CoapServer server, Func<bool> isDone)
    {
        var start = TimeProvider.System.GetTimestamp();
        while (!isDone())
        {
            if (TimeProvider.System.GetElapsedTime(start) > Patience) { throw new TimeoutException("The lanes did not do what they should."); }
            await server.TakeTurnsAsync(1);
        }
    }

    /// <summary>Waits until the server has noticed that all its connections have ended, and has let go of what they held.</summary>
    /// <exception cref="TimeoutException">A connection was still open after a minute.</exception>
    public static async Task AllConnectionsEndAsync(this CoapServer server)
    {
        await server.TakeTurnsUntilAsync(() => server.OpenConnections == 0);
        await server.TakeTurnsAsync(2);
    }

    private static Task NextTurnOf(Lane lane)
    {
        var turn = new TurnSignal();
        lane.Post(turn);
        return turn.Taken;
    }

    private sealed class TurnSignal : LaneWork
    {
        private readonly TaskCompletionSource _taken = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Taken => _taken.Task;

        public override void Run() => _taken.TrySetResult();

        public override void Abandon() => _taken.TrySetResult();
    }
}
