using System.Diagnostics.CodeAnalysis;

namespace CoAP.Reliability;

/// <summary>An item with a deadline.</summary>
internal interface IDeadline
{
    /// <summary>The deadline, or <see cref="long.MaxValue"/> for never. Update the queue after a change.</summary>
    long Deadline { get; }

    /// <summary>Belongs to the queue: 0 while the item is not queued.</summary>
    int QueueIndex { get; set; }
}

/// <summary>The deadlines of a lane, earliest first: a heap with four children per node. Each item knows its position.</summary>
internal sealed class DeadlineQueue<T> where T : class, IDeadline
{
    private const int Arity = 4;
    private const int LeastCapacity = 16;

    private Slot[] _heap = [];

    private record struct Slot(long Deadline, T? Item);

    /// <summary>The number of items.</summary>
    public int Count { get; private set; }

    /// <summary>The earliest deadline, or <see cref="long.MaxValue"/> if the queue is empty.</summary>
    public long NextDeadline => Count == 0 ? long.MaxValue : _heap[0].Deadline;

    /// <summary>Adds an item, moves it to its new deadline, or removes it if it has none.</summary>
    public void Update(T item)
    {
        if (item.Deadline == long.MaxValue)
        {
            Remove(item);
            return;
        }
        var index = item.QueueIndex - 1;
        if (index < 0)
        {
            if (Count == _heap.Length) { Array.Resize(ref _heap, Math.Max(LeastCapacity, Count * 2)); }
            index = Count++;
        }
        Place(new(item.Deadline, item), index);
    }

    /// <summary>Removes an item, if it is queued.</summary>
    public void Remove(T item)
    {
        var hole = item.QueueIndex - 1;
        if (hole < 0) { return; }
        item.QueueIndex = 0;
        Count--;
        var last = _heap[Count];
        _heap[Count] = default;
        if (hole < Count) { Place(last, hole); }
    }

    /// <summary>Removes the item with the earliest deadline if that has been reached.</summary>
    public bool TryPop(long now, [NotNullWhen(true)] out T? item)
    {
        item = Count == 0 || _heap[0].Deadline > now ? null : _heap[0].Item;
        if (item is null) { return false; }
        Remove(item);
        return true;
    }

    private void Place(Slot slot, int index)
    {
        index = Lower(Raise(index, slot.Deadline), slot.Deadline);
        Set(index, slot);
    }

    private int Raise(int index, long deadline)
    {
        while (index > 0)
        {
            var parent = (index - 1) / Arity;
            if (_heap[parent].Deadline <= deadline) { break; }
            Set(index, _heap[parent]);
            index = parent;
        }
        return index;
    }

    private int Lower(int index, long deadline)
    {
        while (true)
        {
            var child = (index * Arity) + 1;
            if (child >= Count) { return index; }
            var earliest = child;
            var end = Math.Min(child + Arity, Count);
            while (++child < end)
            {
                if (_heap[child].Deadline < _heap[earliest].Deadline) { earliest = child; }
            }
            if (_heap[earliest].Deadline >= deadline) { return index; }
            Set(index, _heap[earliest]);
            index = earliest;
        }
    }

    private void Set(int index, in Slot slot)
    {
        _heap[index] = slot;
        slot.Item!.QueueIndex = index + 1;
    }
}
