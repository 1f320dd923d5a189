namespace CoAP.Tool.LoadEngine;

/// <summary>The outcome of the requests.</summary>
internal sealed class Tally
{
    /// <summary>The number of answers with an unexpected code, by code.</summary>
    public long[] Codes { get; } = new long[256];

    public LatencyHistogram Latencies { get; } = new();

    /// <summary>Answers as expected.</summary>
    public long Good { get; private set; }

    /// <summary>Answers with the expected code and other bytes than expected.</summary>
    public long Wrong { get; private set; }

    public long Lost { get; set; }

    /// <summary>Requests that the server rejected with a Reset.</summary>
    public long Resets { get; set; }

    /// <summary>Messages that belong to no request, or that are malformed.</summary>
    public long Strays { get; set; }

    /// <summary>How often the system refused to send or receive, for example because no server is there.</summary>
    public long Refusals { get; set; }

    /// <summary>Connections that the server closed.</summary>
    public long Closed { get; set; }

    /// <summary>Requests of an open loop that were due and never sent.</summary>
    public long Unsent { get; set; }

    /// <summary>Confirmable requests that were sent again.</summary>
    public long Retransmitted { get; set; }

    /// <summary>The number of answers with an unexpected code.</summary>
    public long ErrorAnswers => Codes.Sum();

    public long Errors => ErrorAnswers + Resets + Wrong;

    public long Ended => Good + Lost + Errors;

    /// <summary>All failures by kind, such as "4.04" or "timeout", the most frequent first.</summary>
    public IReadOnlyList<(string Kind, long Count)> Failures =>
    [
        .. Codes.Select(static (count, code) => (new CoapCode((byte)code).ToString(), count))
            .Concat([("timeout", Lost), ("reset", Resets), ("network", Refusals), ("wrong", Wrong)])
            .Where(static failure => failure.Item2 > 0)
            .OrderByDescending(static failure => failure.Item2),
    ];

    /// <summary>Counts an answer.</summary>
    /// <param name="isGood">Whether its code is as expected.</param>
    /// <param name="code">Its code.</param>
    /// <param name="latency">The time since its request was sent, or due, in nanoseconds.</param>
    public void Answered(bool isGood, byte code, long latency)
    {
        if (!isGood)
        {
            Codes[code]++;
            return;
        }
        Good++;
        Latencies.Record(latency);
    }

    /// <summary>Counts an answer with all its bytes.</summary>
    public void Answered(LoopSettings settings, byte code, ReadOnlySpan<byte> message, long latency)
    {
        var isGood = settings.IsGood(code);
        if (isGood && !message.EndsWith(settings.Expected)) { Wrong++; }
        else { Answered(isGood, code, latency); }
    }

    /// <summary>Adds what another tally of answers, losses, Resets and refusals has counted.</summary>
    public void Add(Tally other)
    {
        for (var code = 0; code < Codes.Length; code++) { Codes[code] += other.Codes[code]; }
        Latencies.Add(other.Latencies);
        Good += other.Good;
        Lost += other.Lost;
        Resets += other.Resets;
        Refusals += other.Refusals;
        Retransmitted += other.Retransmitted;
    }

    /// <summary>Returns the unexpected codes with their counts, such as "4.04:12", and Resets.</summary>
    public string DescribeErrors()
    {
        var all = Codes.Select(static (count, code) => (count, code)).Where(static one => one.count > 0).Select(static one => $"{one.code >> 5}.{one.code & 31:00}:{one.count}");
        return string.Join(' ', [.. all, .. Resets > 0 ? [$"RST:{Resets}"] : Array.Empty<string>(), .. Wrong > 0 ? [$"wrong:{Wrong}"] : Array.Empty<string>()]);
    }
}

/// <summary>The tally of the measured time, and one for all before and after it.</summary>
/// <remarks>
/// A closed loop counts what ends within the measured time. An open loop counts the requests that are due in it, however late their answers come.
/// </remarks>
internal sealed class Tallies(bool isOpenLoop)
{
    private readonly Tally _other = new();

    public Tally Measured { get; private set; } = new();

    public bool IsMeasuring { get; set; }

    /// <summary>The tally for events that belong to no request.</summary>
    public Tally Current => IsMeasuring ? Measured : _other;

    /// <summary>Begins a measured time with a new tally.</summary>
    public void Begin() => (Measured, IsMeasuring) = (new Tally(), true);

    public Tally For(in Slot slot) => (isOpenLoop ? slot.IsMeasured : IsMeasuring) ? Measured : _other;
}
