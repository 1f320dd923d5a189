namespace CoAP.Tool.Benchmarking;

/// <summary>Sends requests and counts the responses.</summary>
internal interface IGenerator : IAsyncDisposable
{
    /// <summary>What sends the requests, for the report.</summary>
    string Name { get; }

    /// <summary>The number of good responses so far in the measured time. May be a moment old.</summary>
    long Answers { get; }

    /// <summary>Begins to send.</summary>
    void Start();

    /// <summary>Begins the measured time, without a pause of the load.</summary>
    void Measure();

    /// <summary>Ends the measured time and the load, and returns what was counted.</summary>
    Task<BenchResult> StopAsync();
}
