namespace Backend;

/// <summary>The readings of one request on their way to the store. Completes when their fate is known.</summary>
/// <remarks>The continuation is short, so it runs on the thread that completes the report.</remarks>
internal sealed class Report(string device, Reading[] readings) : TaskCompletionSource<ReportFate>
{
    public string Device => device;

    public Reading[] Readings => readings;
}

/// <summary>What has become of a report.</summary>
internal enum ReportFate
{
    /// <summary>All its readings are stored.</summary>
    Stored,

    /// <summary>The store or the queue cannot take it now. Its readings may be stored nevertheless.</summary>
    Unavailable,

    /// <summary>The store rejects its readings.</summary>
    Rejected,
}
