namespace CoAP.Tool.Benchmarking;

/// <summary>What became of the requests.</summary>
internal sealed class Tally
{
    private const int Codes = 256;

    private readonly long[] _codes = new long[Codes];

    /// <summary>The times from the transmission of requests, or from the time at which they were due, to their successful responses.</summary>
    public LatencyHistogram Latencies { get; } = new();

    /// <summary>The number of responses with a code of class 2.</summary>
    public long Good => Latencies.Count;

    /// <summary>Requests without a response in time.</summary>
    public long TimedOut { get; set; }

    /// <summary>Requests that the server rejected with a Reset, or connections that it closed.</summary>
    public long Reset { get; set; }

    /// <summary>Requests that the network refused, or that could not be sent.</summary>
    public long Failed { get; set; }

    /// <summary>Confirmable requests that were sent again.</summary>
    public long Retransmitted { get; set; }

    /// <summary>The measured time.</summary>
    public TimeSpan Elapsed { get; set; }

    /// <summary>The processor time of this program during the measurement.</summary>
    public TimeSpan Processor { get; set; }

    /// <summary>The number of error responses.</summary>
    public long ErrorAnswers => _codes.Sum();

    /// <summary>Good responses per second.</summary>
    public double Rate => Elapsed > TimeSpan.Zero ? Good / Elapsed.TotalSeconds : 0;

    /// <summary>All failures by kind, such as "4.04" or "timeout", the most frequent first.</summary>
    public IReadOnlyList<(string Kind, long Count)> Failures =>
    [
        .. _codes.Select(static (count, code) => (new CoapCode((byte)code).ToString(), count))
            .Concat([("timeout", TimedOut), ("reset", Reset), ("network", Failed)])
            .Where(static failure => failure.Item2 > 0)
            .OrderByDescending(static failure => failure.Item2),
    ];

    /// <summary>Counts a response.</summary>
    public void Answered(CoapCode code, long nanoseconds)
    {
        if (code.IsSuccess) { Latencies.Record(nanoseconds); }
        else { _codes[code.Value]++; }
    }

    /// <summary>Adds another tally, but not its times.</summary>
    public void Add(Tally other)
    {
        for (var code = 0; code < Codes; code++) { _codes[code] += other._codes[code]; }
        Latencies.Add(other.Latencies);
        TimedOut += other.TimedOut;
        Reset += other.Reset;
        Failed += other.Failed;
        Retransmitted += other.Retransmitted;
    }
}
