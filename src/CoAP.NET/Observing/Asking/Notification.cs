namespace CoAP;

/// <summary>One state of an observed resource (RFC 7641, section 4.2). Immutable.</summary>
public sealed class Notification
{
    internal Notification(CoapResponse response, uint? sequence, TimeSpan elapsed, long skipped) =>
        (Response, Sequence, Elapsed, Skipped) = (response, sequence, elapsed, skipped);

    /// <summary>The code, options and representation. Of class 4 or 5 only in the last notification of an observation.</summary>
    public CoapResponse Response { get; }

    /// <summary>
    /// The value of the Observe option, 0 to 16,777,215; none where the server does not observe, or no more. Says nothing on connections, where
    /// messages come in order (RFC 8323, section 7.1).
    /// </summary>
    public uint? Sequence { get; }

    /// <summary>The time from the beginning of the observation until the notification came.</summary>
    public TimeSpan Elapsed { get; }

    /// <summary>How many notifications of the observation were skipped before this one, because the reader was slow.</summary>
    public long Skipped { get; }

    /// <summary>The sequence value and the response.</summary>
    public override string ToString() => $"{Sequence}: {Response}";
}
