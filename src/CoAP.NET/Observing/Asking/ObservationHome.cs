using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>What an observation goes back to when its channel cannot help it: says where to register, and whether that can be healed.</summary>
internal abstract class ObservationHome
{
    private readonly Lock _gate = new();
    private LaneObservation? _attachment;
    private bool _isOver;

    /// <summary>Whether the reader has left, or nothing more will come.</summary>
    public bool IsOver
    {
        get
        {
            lock (_gate) { return _isOver; }
        }
    }

    /// <summary>Finds the channel and begins to register, without holding a thread.</summary>
    public abstract ValueTask StartAsync(ObservationLink link, CancellationToken cancellationToken);

    /// <summary>The same, blocking the calling thread.</summary>
    public abstract void Start(ObservationLink link, CancellationToken cancellationToken);

    /// <summary>The last registration failed and the wait is over: has the attachment register again, here or elsewhere. On the lane.</summary>
    public abstract void Retry(LaneObservation attachment);

    /// <summary>The attachment has ended with its channel, or with the first registration. On the lane, or where it had ended on any thread.</summary>
    public abstract void Lost(LaneObservation attachment, Exception error);

    /// <summary>The reader wants nothing more; what the server knows of it is taken back. Any thread; the first call counts.</summary>
    public void Leave(ObservationEnd reason)
    {
        if (Close() is { } attachment) { attachment.Lane.Post(new LaneAction(() => attachment.Leave(reason))); }
    }

    /// <summary>Makes the attachment the one that counts and hands it to its lane, unless the reader has left already.</summary>
    public void Attach(LaneObservation attachment)
    {
        lock (_gate)
        {
            if (_isOver) { return; }
            _attachment = attachment;
        }
        attachment.Lane.Post(attachment);
    }

    /// <summary>From now on nothing is attached any more; the attachment there is.</summary>
    protected LaneObservation? Close()
    {
        lock (_gate)
        {
            if (_isOver) { return null; }
            _isOver = true;
        }
        OnClosed();
        return _attachment;
    }

    /// <summary>Ends with an error that cannot be healed.</summary>
    protected void GiveUp(ObservationLink link, Exception error)
    {
        Close();
        link.Feed.End(ObservationEnd.Failed, error);
    }

    protected virtual void OnClosed()
    {
    }
}
