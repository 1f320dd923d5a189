using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>The numbers with which the representations of a lane begin (RFC 7641, section 4.4).</summary>
/// <param name="lane">The lane of the observers.</param>
/// <param name="startedAt">The time of the clock.</param>
/// <param name="isLimited">Whether the numbers are limited. Over a reliable transport, clients ignore them.</param>
internal sealed class RepresentationNumbers(Lane lane, DateTimeOffset startedAt, bool isLimited)
{
    private const int Sequences = 256;

    private readonly long _epoch = startedAt.Ticks - DateTimeOffset.UnixEpoch.Ticks - lane.Now;    // the ticks from 1970 to time 0 of the lane
    private readonly long[] _lastOfDropped = new long[Sequences];   // the last numbers of dropped representations, by the hash of their keys
    private long _lastStart = NotificationOrder.StartAt(startedAt); // the number that the last new representation began with

    /// <summary>Returns the order of a new representation. It continues above its last one, so that a repeated registration gets a new number.</summary>
    /// <remarks>The numbers are limited. A client that uses up those of its own representation must not affect all others.</remarks>
    public NotificationOrder NewOrder(RepresentationKey key)
    {
        _lastStart = NotificationOrder.StartAfter(_lastStart);
        var start = Math.Max(_lastStart, NotificationOrder.StartAfter(LastOf(key)));
        return new(start, lane.Now, _epoch, isLimited);
    }

    /// <summary>Called when a representation is dropped.</summary>
    public void ContinueAfter(long number, RepresentationKey key)
    {
        ref var last = ref LastOf(key);
        last = Math.Max(last, number);
    }

    private ref long LastOf(RepresentationKey key) => ref _lastOfDropped[(uint)key.GetHashCode() % Sequences];
}
