namespace CoAP.Dtls;

/// <summary>
/// The datagrams of a lane's sessions that another lane has received. They wait for the lane, and their number and bytes are limited: anyone can send records
/// with the number of another lane.
/// </summary>
/// <param name="lane">The lane of the sessions.</param>
/// <param name="open">Opens a datagram.</param>
internal sealed class StrayDatagrams(ILane lane, Action<Frame> open)
{
    public const int Most = 4096;
    public const long MostBytes = 4 << 20;

    private int _count;
    private long _bytes;

    /// <summary>Takes a copy of a datagram. Drops it if too many wait. May be called from any lane.</summary>
    public void Take(in Frame datagram)
    {
        var length = datagram.Bytes.Length;
        if (Interlocked.Increment(ref _count) > Most | Interlocked.Add(ref _bytes, length) > MostBytes)
        {
            Release(length);
            DtlsMetrics.Drop("lane_busy");
            return;
        }
        var kept = new Frame(datagram.Key, datagram.Bytes.ToArray());
        lane.Post(() =>
        {
            Release(length);
            open(kept);
        });
    }

    private void Release(int length)
    {
        Interlocked.Decrement(ref _count);
        Interlocked.Add(ref _bytes, -length);
    }
}
