namespace CoAP.Streams;

/// <summary>Decides when the next attempt to connect to a target is due. The caller supplies time and random numbers. Not safe for concurrent use.</summary>
internal sealed class ConnectBackOff(ReconnectSettings settings)
{
    private readonly Dictionary<StreamTarget, Streak> _streaks = [];

    /// <summary>The number of targets with recent failures.</summary>
    public int Count => _streaks.Count;

    /// <summary>Records a failed attempt.</summary>
    /// <param name="target">The target of the attempt.</param>
    /// <param name="reason">The error.</param>
    /// <param name="at">The time of the failure.</param>
    /// <param name="chance">A random number from 0 to 1.</param>
    public void Failed(in StreamTarget target, Exception reason, long at, double chance)
    {
        var failures = TryFind(target, at, out var streak) ? streak.Failures + 1 : 1;
        if (failures == 1) { MakeRoom(at); }
        var doubled = settings.InitialDelay.Ticks * Math.Pow(2, Math.Min(failures - 1, 62));
        // A random time, so that the clients of a restarted server do not all connect at once.
        var wait = (long)(Math.Min(doubled, settings.MaxDelay.Ticks) * (1 + chance) / 2);
        _streaks[target] = new Streak(failures, at + wait, reason);
    }

    /// <summary>Forgets the failures of a target after a successful connection.</summary>
    public void Succeeded(in StreamTarget target) => _streaks.Remove(target);

    /// <summary>Returns the time until the next attempt and the last error; <see langword="null"/> if the attempt is due.</summary>
    public (TimeSpan Wait, Exception Reason)? WaitFor(in StreamTarget target, long now) =>
        TryFind(target, now, out var streak) && streak.NextAt > now ? (TimeSpan.FromTicks(streak.NextAt - now), streak.Reason) : null;

    private bool TryFind(in StreamTarget target, long now, out Streak streak)
    {
        if (!_streaks.TryGetValue(target, out streak)) { return false; }
        if (!IsOver(streak, now)) { return true; }
        _streaks.Remove(target);
        return false;
    }

    private bool IsOver(in Streak streak, long now) => now - streak.NextAt >= settings.MaxDelay.Ticks;

    // Runs only after the first failure of a new target, which took longer than this loop.
    private void MakeRoom(long now)
    {
        if (_streaks.Count < settings.MaxRememberedEndpoints) { return; }
        foreach (var (target, streak) in _streaks)
        {
            if (IsOver(streak, now)) { _streaks.Remove(target); }
        }
        if (_streaks.Count >= settings.MaxRememberedEndpoints) { _streaks.Remove(_streaks.MinBy(static entry => entry.Value.NextAt).Key); }
    }

    /// <param name="Failures">The number of failures in a row.</param>
    /// <param name="NextAt">The time at which the next attempt is due.</param>
    /// <param name="Reason">The error of the last attempt.</param>
    private readonly record struct Streak(int Failures, long NextAt, Exception Reason);
}
