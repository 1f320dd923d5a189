using System.Diagnostics;
using System.Globalization;
using CoAP;

namespace SampleClient;

/// <summary>Shows the progress of a long transfer on one line of a terminal.</summary>
internal sealed class ProgressLine : IProgress<TransferProgress>
{
    private const int Mebi = 1 << 20;
    private const long LongTransfer = 64 << 10;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private long _shownAt;
    private bool _hasShown;

    /// <summary>A progress line for a terminal; <see langword="null"/> if the standard error is redirected.</summary>
    public static ProgressLine? ForTerminal() => Console.IsErrorRedirected ? null : new();

    public void Report(TransferProgress value)
    {
        var (moved, total) = value.Received > 0 || value.TotalToReceive is not null
            ? (value.Received, value.TotalToReceive)
            : (value.Sent, value.TotalToSend);
        if ((total ?? moved) <= LongTransfer) { return; }
        lock (_gate)
        {
            if (_hasShown && Stopwatch.GetElapsedTime(_shownAt) < Pause && moved != total) { return; }
            (_hasShown, _shownAt) = (true, Stopwatch.GetTimestamp());
            Console.Error.Write($"\r{Describe(moved, total)}\u001b[K");
        }
    }

    /// <summary>Keeps the line and moves to the next one.</summary>
    public void End()
    {
        if (_hasShown) { Console.Error.WriteLine(); }
    }

    private string Describe(long moved, long? total)
    {
        var rate = moved / Math.Max(Stopwatch.GetElapsedTime(_startedAt).TotalSeconds, 0.001) / Mebi;
        var invariant = CultureInfo.InvariantCulture;
        return total is { } all
            ? string.Create(invariant, $"{(double)moved / Mebi:0.0} of {(double)all / Mebi:0.0} MiB, {100.0 * moved / Math.Max(all, 1):0} %, {rate:0.0} MiB/s")
            : string.Create(invariant, $"{(double)moved / Mebi:0.0} MiB, {rate:0.0} MiB/s");
    }
}
