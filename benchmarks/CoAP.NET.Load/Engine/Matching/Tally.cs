namespace CoAP.Load;

/// <summary>What has come of the requests.</summary>
internal sealed class Tally
{
    private const int Created = 0x41, Changed = 0x44, Content = 0x45;

    /// <summary>The answers with a code that was not expected, by code.</summary>
    public long[] Codes { get; } = new long[256];

    public LatencyHistogram Latencies { get; } = new();

    /// <summary>The answers of the expected class: 2.05 to GET, 2.01 or 2.04 to PUT and POST.</summary>
    public long Good { get; private set; }

    public long Bytes { get; set; }

    public long Lost { get; set; }

    /// <summary>Requests that the server refused by a Reset.</summary>
    public long Resets { get; set; }

    /// <summary>Messages that belong to no request, or that are none.</summary>
    public long Strays { get; set; }

    public long Retransmissions { get; set; }

    /// <summary>Answers in a message of their own.</summary>
    public long Separate { get; set; }

    /// <summary>Times that the system refused to send or to receive, such as when no server is there; since the beginning.</summary>
    public long Refusals { get; set; }

    /// <summary>Connections that the server closed, since the beginning.</summary>
    public long Closed { get; set; }

    /// <summary>Requests of an open loop whose time had come and that were never sent.</summary>
    public long Unsent { get; set; }

    public long Errors => Codes.Sum() + Resets;

    public long Ended => Good + Lost + Errors;

    public static bool IsExpected(CoapCode method, byte code) => method == RequestCode.Get
        ? code == Content
        : code is Created or Changed || (method == RequestCode.Post && code == Content);

    public void Answered(CoapCode method, byte code, long latency)
    {
        if (!IsExpected(method, code))
        {
            Codes[code]++;
            return;
        }
        Good++;
        Latencies.Record(latency);
    }

    public void Clear()
    {
        Array.Clear(Codes);
        Latencies.Clear();
        (Good, Bytes, Lost, Resets, Strays, Retransmissions, Separate, Unsent) = (0, 0, 0, 0, 0, 0, 0, 0);
    }
}
