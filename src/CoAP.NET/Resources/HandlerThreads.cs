namespace CoAP.Resources;

/// <summary>A bounded queue, and threads of its own that handlers may block. The pool's give connections their turns and have to stay free.</summary>
/// <param name="run">What a thread does with an item; must not throw.</param>
/// <param name="threads">The most threads.</param>
/// <param name="capacity">The most items that wait or are being handled.</param>
/// <remarks>Threads are made when they are needed and end when they were not for a while. Safe for concurrent use.</remarks>
internal sealed class HandlerThreads<T>(Action<T> run, int threads, int capacity)
{
    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(20);

    private readonly object _gate = new();
    private readonly Queue<T> _waiting = [];
    private int _pending;
    private int _idle;
    private int _count;
    private bool _isCompleted;

    /// <summary>Takes an item, or answers <see langword="false"/> where as many as the capacity says wait or are being handled, and after the end.</summary>
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

    /// <summary>Takes nothing new; what waits is still handled.</summary>
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
        try
        {
            new Thread(Run) { IsBackground = true, Name = "CoAP handlers" }.UnsafeStart();
        }
        catch (OutOfMemoryException)
        {
            // The system gives no more threads: the pool helps out, once.
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
