namespace CoAP.Resources;

/// <summary>A handler thread: where it sleeps, and what it has taken.</summary>
internal sealed class HandlerThread
{
    private bool _isWoken;

    /// <summary>The next thread to wake. Only who wakes them uses it.</summary>
    public HandlerThread? Next { get; set; }

    /// <summary>How often threads had turned out to be stuck when this one took its item.</summary>
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

/// <summary>The threads that have to be woken or begun.</summary>
internal struct WokenThreads
{
    /// <summary>The first of the parked ones, which are linked.</summary>
    public HandlerThread? Parked { get; set; }

    /// <summary>The number of new ones.</summary>
    public int New { get; set; }
}
