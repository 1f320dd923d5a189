namespace CoAP.Resources;

/// <summary>A handler thread: where it sleeps, and what it has taken.</summary>
internal sealed class HandlerThread
{
    private bool _isWoken;

    /// <summary>The next thread to wake. Used only by the code that wakes the threads.</summary>
    public HandlerThread? Next { get; set; }

    /// <summary>The number of times that threads had been found blocked when this one took its item.</summary>
    public int Spreads { get; set; }

    /// <summary>Wakes the thread. It may not have gone to sleep yet.</summary>
    public void Wake()
    {
        lock (this)
        {
            _isWoken = true;
            Monitor.Pulse(this);
        }
    }

    /// <summary>Sleeps until the thread is woken. Returns <see langword="false"/> if that takes too long.</summary>
    public bool Sleep(TimeSpan timeout)
    {
        lock (this)
        {
            if (!_isWoken) { Monitor.Wait(this, timeout); }
            var wasWoken = _isWoken;
            _isWoken = false;
            return wasWoken;
        }
    }
}

/// <summary>The threads to wake or start.</summary>
internal struct WokenThreads
{
    /// <summary>The first parked thread; the others are linked to it.</summary>
    public HandlerThread? Parked { get; set; }

    /// <summary>The number of new ones.</summary>
    public int New { get; set; }
}
