namespace CoAP;

/// <summary>A state of an observed resource (RFC 7641, section 4.2). Immutable.</summary>
public sealed class Notification
{
    internal Notification(CoapResponse response, uint? sequence, TimeSpan elapsed, long skipped) =>
        (Response, Sequence, Elapsed, Skipped) = (response, sequence, elapsed, skipped);

    /// <summary>The response with its code, options and payload. Only the last notification of an observation can be an error (class 4 or 5).</summary>
    public CoapResponse Response { get; }

    /// <summary>
    /// The value of the Observe option, 0 to 16,777,215. <see langword="null"/> if the response has no Observe option: the client is not, or no
    /// longer, an observer. On connections the value has no meaning, because messages arrive in order (RFC 8323, section 7.1).
    /// </summary>
    public uint? Sequence { get; }

    /// <summary>The time from the start of the observation to the arrival of the notification.</summary>
    public TimeSpan Elapsed { get; }

    /// <summary>The number of earlier notifications that were skipped because the reader was slow.</summary>
    public long Skipped { get; }

    /// <summary>Returns the sequence value and the response.</summary>
    public override string ToString() => $"{Sequence}: {Response}";
}
