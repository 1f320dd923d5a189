using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Limits the time in which the peer must read what is sent to it.</summary>
/// <remarks>
/// A large message can be withdrawn until its first byte is sent. After that all of it must be sent, or the peer could not read the messages that follow.
/// If its response is no longer awaited and the rest takes too long, the connection ends.
/// </remarks>
internal sealed class SendTimeLimits(Lane lane, TimeSpan timeout, IStreamConnection connection, StreamOutput output)
{
    // The next slice after a slow one is smaller, so that progress of a slow peer is visible.
    private static readonly long SlowSlice = TimeSpan.FromSeconds(2).Ticks;

    // The time for the rest of a message whose response is no longer awaited. Beyond it, a new connection costs less.
    private static readonly long RestTime = TimeSpan.FromSeconds(2).Ticks;

    private long _armedAt;
    private long _restUntil = long.MaxValue;
    private CoapMessage? _limited;

    /// <summary>The time at which the connection has to end. A blocking connection has its own timeout for each call.</summary>
    public long Deadline => output.IsArmed
        ? Math.Min(connection.IsBlocking ? long.MaxValue : _armedAt + timeout.Ticks, _restUntil) : long.MaxValue;

    public bool IsExceeded => lane.Now >= Deadline;

    /// <summary>Returns the reason for the end of the connection.</summary>
    public string Describe() => lane.Now >= _restUntil
        ? "a request was canceled while its message was partly sent"
        : $"the peer has read nothing for {timeout} (TcpSettings.SendTimeout), and {output.Unsent} bytes are unsent";

    /// <summary>Called when the transport has taken bytes that it cannot send at once.</summary>
    public void OnArmed() => _armedAt = lane.Now;

    /// <summary>Called when the transport has sent these bytes.</summary>
    public void OnSent()
    {
        output.OnSent(wasSlow: lane.Now - _armedAt > SlowSlice);
        if (_limited is null || output.Find(_limited) is not null) { return; }
        (_limited, _restUntil) = (null, long.MaxValue);
    }

    /// <summary>Limits the time for the rest of a message; returns <see langword="false"/> unless it is partly sent.</summary>
    public bool TryLimit(CoapMessage message)
    {
        if (output.Find(message) is not { HasBegun: true }) { return false; }
        (_limited, _restUntil) = (message, lane.Now + RestTime);
        return true;
    }
}
