using System.Diagnostics.CodeAnalysis;

namespace CoAP.Lanes;

/// <summary>The work that other threads have for a lane, in order of arrival. A lock-free queue with many producers and one consumer.</summary>
internal sealed class Inbox
{
    private LaneWork? _newest;
    private LaneWork? _oldest;      // the pieces that the consumer has removed from the others, oldest first

    public bool IsEmpty => Volatile.Read(ref _oldest) is null && Volatile.Read(ref _newest) is null;

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

    /// <summary>Removes the oldest piece of work.</summary>
    public bool TryTake([NotNullWhen(true)] out LaneWork? work)
    {
        _oldest ??= TakeAll();
        work = _oldest;
        if (work is null) { return false; }
        _oldest = work.Next;
        work.Next = null;
        return true;
    }

    // Removes what was added and reverses it.
    private LaneWork? TakeAll()
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
