namespace CoAP.Lanes;

/// <summary>The work that other threads have for a lane, in order of arrival. A lock-free queue with many producers and one consumer.</summary>
internal sealed class Inbox
{
    private LaneWork? _newest;

    public bool IsEmpty => Volatile.Read(ref _newest) is null;

    public void Add(LaneWork work)
    {
        var newest = Volatile.Read(ref _newest);
        while (true)
        {
            work.Next = newest;
            var found = Interlocked.CompareExchange(ref _newest, work, newest);
            if (ReferenceEquals(found, newest)) { return; }
            newest = found;
        }
    }

    /// <summary>Removes all work and returns the oldest piece. The others follow in <see cref="LaneWork.Next"/>.</summary>
    public LaneWork? TakeAll()
    {
        var newest = Interlocked.Exchange(ref _newest, null);
        LaneWork? oldest = null;
        while (newest is not null)
        {
            var next = newest.Next;
            newest.Next = oldest;
            oldest = newest;
            newest = next;
        }
        return oldest;
    }
}
