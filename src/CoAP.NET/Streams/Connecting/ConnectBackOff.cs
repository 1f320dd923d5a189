namespace CoAP.Streams;

/// <summary>When the next attempt to connect to a target may be made. Not safe for concurrent use; time and chance are the caller's.</summary>
internal sealed class ConnectBackOff(ReconnectSettings settings)
{
    private readonly Dictionary<StreamTarget, Row> _rows = [];

    /// <summary>The targets whose failures are remembered.</summary>
    public int Count => _rows.Count;

    /// <summary>An attempt has failed, at a time and for a reason. Chance is 0 to 1.</summary>
    public void Failed(in StreamTarget target, Exception reason, long at, double chance)
    {
        var failures = TryFind(target, at, out var row) ? row.Failures + 1 : 1;
        if (failures == 1) { MakeRoom(target, at); }
        var doubled = settings.FirstWait.Ticks * Math.Pow(2, Math.Min(failures - 1, 62));
        // Between half and all of it, so that the clients of a server that comes back do not come all at once.
        var wait = (long)(Math.Min(doubled, settings.LongestWait.Ticks) * (1 + chance) / 2);
        _rows[target] = new Row(failures, at + wait, reason);
    }

    /// <summary>A connection was of use: the row of failures has ended.</summary>
    public void Succeeded(in StreamTarget target) => _rows.Remove(target);

    /// <summary>How long to wait before the next attempt, and why the last one failed; nothing where it may be made.</summary>
    public (TimeSpan Wait, Exception Reason)? WaitFor(in StreamTarget target, long now) =>
        TryFind(target, now, out var row) && row.NextAt > now ? (TimeSpan.FromTicks(row.NextAt - now), row.Reason) : null;

    private bool TryFind(in StreamTarget target, long now, out Row row)
    {
        if (!_rows.TryGetValue(target, out row)) { return false; }
        if (!IsOver(row, now)) { return true; }
        _rows.Remove(target);
        return false;
    }

    private bool IsOver(in Row row, long now) => now - row.NextAt >= settings.LongestWait.Ticks;

    // Looked through only after a failure of somebody new, which took longer than this.
    private void MakeRoom(in StreamTarget target, long now)
    {
        if (_rows.Count < settings.MaxRemembered || _rows.ContainsKey(target)) { return; }
        var first = default(KeyValuePair<StreamTarget, Row>?);
        foreach (var entry in _rows)
        {
            if (IsOver(entry.Value, now)) { _rows.Remove(entry.Key); }
            else if (first is null || entry.Value.NextAt < first.Value.Value.NextAt) { first = entry; }
        }
        if (_rows.Count >= settings.MaxRemembered) { _rows.Remove(first!.Value.Key); }
    }

    /// <param name="Failures">How many in a row.</param>
    /// <param name="NextAt">When the next attempt may be made.</param>
    /// <param name="Reason">Why the last one failed.</param>
    private readonly record struct Row(int Failures, long NextAt, Exception Reason);
}
