namespace CoAP.Lanes;

/// <summary>What other threads want of a lane: many producers, one consumer, no lock. Taken out in the order in which it was put in.</summary>
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

    /// <summary>Takes everything; the first one is the oldest, the others follow by <see cref="LaneWork.Next"/>.</summary>
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
