using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Watches whether the peer takes what is sent to it.</summary>
/// <remarks>
/// A large message may be taken back until its first byte is on its way. From then on it is written to its end, because nothing else makes sense to the
/// peer; where nobody wants it any more and that takes too long, the connection ends.
/// </remarks>
internal sealed class SendingWatch(StreamLane lane, IStreamConnection connection, StreamOutput output)
{
    // A slice of 256 KiB that takes longer is made smaller, so that slow peers are seen to read.
    private static readonly long SlowSlice = TimeSpan.FromSeconds(2).Ticks;

    // What is left of a message that nobody wants any more; a new connection is cheaper than what takes longer.
    private static readonly long HurryTime = TimeSpan.FromSeconds(2).Ticks;

    private long _armedAt;
    private long _hurryUntil = long.MaxValue;
    private CoapMessage? _hurried;

    /// <summary>When it has taken too long. A connection that waits by itself has a time-out of its own for each call.</summary>
    public long Deadline => output.IsArmed
        ? Math.Min(connection.IsBlocking ? long.MaxValue : _armedAt + lane.SendTimeout.Ticks, _hurryUntil) : long.MaxValue;

    public bool IsOver => lane.Now >= Deadline;

    /// <summary>What is said where it is over.</summary>
    public string Verdict => lane.Now >= _hurryUntil
        ? "a request was given up in the middle of its message"
        : $"the peer has taken nothing for {lane.SendTimeout} (TcpSettings.SendTimeout), and {output.Unsent} bytes wait for it";

    /// <summary>The transport has got what it holds until there is room.</summary>
    public void OnArmed() => _armedAt = lane.Now;

    /// <summary>The transport has sent what it held.</summary>
    public void OnSent()
    {
        output.OnSent(wasSlow: lane.Now - _armedAt > SlowSlice);
        if (_hurried is null || output.Find(_hurried) is not null) { return; }
        (_hurried, _hurryUntil) = (null, long.MaxValue);
    }

    /// <summary>Nobody wants the answer to the message any more: if it is half written, the rest has a moment. Whether there is one.</summary>
    public bool TryHurry(CoapMessage message)
    {
        if (output.Find(message) is not { HasBegun: true }) { return false; }
        (_hurried, _hurryUntil) = (message, lane.Now + HurryTime);
        return true;
    }
}
