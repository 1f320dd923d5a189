using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>The caller's thread, and one that echoes, or something elsewhere that does.</summary>
internal sealed class ThreadPair<TTurn> : IPair
    where TTurn : struct, ITurn
{
    private readonly Thread? _echo;
    private readonly Action _end;
    private TTurn _turn;

    /// <param name="turn">There and back.</param>
    /// <param name="end">Ends the echo.</param>
    /// <param name="echo">Runs on a thread of its own; none where the other end is elsewhere.</param>
    /// <param name="placement">Says where that thread runs.</param>
    public ThreadPair(TTurn turn, Action end, Action? echo = null, Placement? placement = null)
    {
        (_turn, _end) = (turn, end);
        if (echo is null) { return; }
        _echo = new Thread(() =>
        {
            if (placement?.Echoing is { } core) { Native.Pin(core); }
            echo();
        })
        { IsBackground = true, Name = "echo" };
        _echo.Start();
    }

    public HandOffRun Run(int turns, Latencies all) => HandOffLoop.Run(ref _turn, turns, all);

    public void Dispose()
    {
        _end();
        _echo?.Join();
    }
}
