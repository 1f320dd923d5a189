namespace CoAP.Load;

/// <summary>The outcome of the requests.</summary>
internal sealed class Tally
{
    private const byte Created = 0x41, Changed = 0x44, Content = 0x45;

    /// <summary>The number of answers with an unexpected code, by code.</summary>
    public long[] Codes { get; } = new long[256];

    public LatencyHistogram Latencies { get; } = new();

    /// <summary>Answers as expected: 2.05 to GET, 2.01 or 2.04 to PUT and POST, and 2.05 to POST.</summary>
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

    public long Errors => Codes.Sum() + Resets + Wrong;

    public long Ended => Good + Lost + Errors;

    public static bool IsExpected(byte method, byte code) => method == LoadSettings.Get
        ? code == Content
        : code is Created or Changed || (method == LoadSettings.Post && code == Content);

    /// <summary>Counts an answer.</summary>
    public void Answered(LoadSettings settings, byte code, ReadOnlySpan<byte> message, long latency)
    {
        if (!IsExpected(settings.Method, code)) { Codes[code]++; }
        else if (!message.EndsWith(settings.Expected)) { Wrong++; }
        else
        {
            Good++;
            Latencies.Record(latency);
        }
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
