using System.Diagnostics;
using System.Globalization;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Requests;

/// <summary>Shows the progress of a long transfer on one line of a terminal.</summary>
internal sealed class ProgressLine(TextWriter error) : IProgress<TransferProgress>
{
    private const long LongTransfer = 64 << 10;
    private const int BarWidth = 24;
    private const string ClearToEnd = "\u001b[K";
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private long _shownAt;
    private bool _isShown;

    public void Report(TransferProgress value)
    {
        var (moved, total) = value.Received > 0 || value.TotalToReceive is not null ? (value.Received, value.TotalToReceive) : (value.Sent, value.TotalToSend);
        if ((total ?? moved) <= LongTransfer) { return; }
        lock (_gate)
        {
            if (_isShown && Stopwatch.GetElapsedTime(_shownAt) < Pause && moved != total) { return; }
            (_isShown, _shownAt) = (true, Stopwatch.GetTimestamp());
            error.Write($"\r{Describe(moved, total, Stopwatch.GetElapsedTime(_startedAt))}{ClearToEnd}");
            error.Flush();
        }
    }

    /// <summary>Removes the line, so that the response stands in its place.</summary>
    public void End()
    {
        lock (_gate)
        {
            if (_isShown) { error.Write($"\r{ClearToEnd}"); }
            _isShown = false;
        }
    }

    internal static string Describe(long moved, long? total, TimeSpan elapsed)
    {
        var rate = $"{ByteCount.Of((long)(moved / Math.Max(elapsed.TotalSeconds, 0.001)))}/s";
        if (total is not { } all) { return $"{ByteCount.Of(moved)}, {rate}"; }
        var share = all == 0 ? 1 : Math.Min((double)moved / all, 1);
        var bar = new string('━', (int)(share * BarWidth)).PadRight(BarWidth, '─');
        return string.Create(CultureInfo.InvariantCulture, $"{bar} {share * 100,3:0} % of {ByteCount.Of(all)}, {rate}");
    }
}
