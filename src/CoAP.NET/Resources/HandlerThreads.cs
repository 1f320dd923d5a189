namespace CoAP.Resources;

/// <summary>A bounded queue and the threads that run its items. Items may block these threads, but not those of the pool, which serve connections.</summary>
/// <param name="run">Processes an item. Must not throw.</param>
/// <param name="threads">The most threads.</param>
/// <param name="capacity">The most items that wait or are being processed.</param>
/// <remarks>Safe for concurrent use. A thread starts when it is needed and ends after an idle time.</remarks>
internal sealed class HandlerThreads<T>(Action<T> run, int threads, int capacity)
{
    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(20);

    private readonly object _gate = new();
    private readonly Queue<T> _waiting = [];
    private int _pending;
    private int _idle;
    private int _count;
    private bool _isCompleted;

    /// <summary>Adds an item. Returns <see langword="false"/> if the capacity is used up or the queue is completed.</summary>
    public bool TryQueue(T item)
    {
        lock (_gate)
        {
            if (_isCompleted || _pending >= capacity) { return false; }
            _pending++;
            _waiting.Enqueue(item);
            if (_waiting.Count <= _idle)
            {
                Monitor.Pulse(_gate);
                return true;
            }
            if (_count == threads) { return true; }
            _count++;
        }
        Begin();
        return true;
    }

    /// <summary>Accepts no further items. Waiting items are still processed.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _isCompleted = true;
            Monitor.PulseAll(_gate);
        }
    }

    private void Begin()
    {
        try { new Thread(Run) { IsBackground = true, Name = "CoAP handlers" }.UnsafeStart(); }
        catch (OutOfMemoryException)
        {
            // The system has no more threads. A thread of the pool takes the place of one.
            ThreadPool.UnsafeQueueUserWorkItem(static threads => threads.Run(), this, preferLocal: false);
        }
    }

    private void Run()
    {
        while (TryTake(out var item))
        {
            run(item);
            lock (_gate) { _pending--; }
        }
    }

    private bool TryTake(out T item)
    {
        lock (_gate)
        {
            var isPatient = true;
            while (!_waiting.TryDequeue(out item!))
            {
                if (_isCompleted || !isPatient)
                {
                    _count--;
                    return false;
                }
                _idle++;
                isPatient = Monitor.Wait(_gate, IdleTime);
                _idle--;
            }
            return true;
        }
    }
}
