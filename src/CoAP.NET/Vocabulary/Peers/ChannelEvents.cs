using System.Collections.Concurrent;

namespace CoAP.Vocabulary;

/// <summary>Tells subscribers which channels were opened and closed, on the thread pool and one event at a time. Safe for concurrent use.</summary>
/// <remarks>
/// Peers decide how often channels open. Subscribers that are slower lose events beyond a bound, and a counter tells how many. Without a
/// subscriber, nothing is queued.
/// </remarks>
/// <param name="sender">The sender of the events.</param>
internal sealed class ChannelEvents(object sender)
{
    /// <summary>The largest number of events that wait for subscribers.</summary>
    public const int MaxWaiting = 4096;

    private readonly ConcurrentQueue<(bool IsOpened, ChannelDescription Channel)> _waiting = new();
    private int _count;
    private int _isRaising;
    private long _lost;

    /// <summary>A channel was opened.</summary>
    public event EventHandler<ChannelEventArgs>? Opened;

    /// <summary>A channel was closed.</summary>
    public event EventHandler<ChannelEventArgs>? Closed;

    /// <summary>The log for exceptions of subscribers; <see langword="null"/> before the endpoint starts.</summary>
    public EndpointLog? Log { get; set; }

    /// <summary>The number of events that were lost because too many waited.</summary>
    public long Lost => Interlocked.Read(ref _lost);

    /// <summary>Queues the event of an opened channel. The channel is described only if there is a subscriber.</summary>
    public void OnOpened<T>(T channel, Func<T, ChannelDescription> describe)
    {
        if (Opened is not null) { Add(isOpened: true, describe(channel)); }
    }

    /// <summary>Queues the event of a closed channel. The channel is described only if there is a subscriber.</summary>
    public void OnClosed<T>(T channel, Func<T, ChannelDescription> describe)
    {
        if (Closed is not null) { Add(isOpened: false, describe(channel)); }
    }

    private void Add(bool isOpened, ChannelDescription channel)
    {
        if (Interlocked.Increment(ref _count) > MaxWaiting)
        {
            Interlocked.Decrement(ref _count);
            Interlocked.Increment(ref _lost);
            return;
        }
        _waiting.Enqueue((isOpened, channel));
        if (Interlocked.Exchange(ref _isRaising, 1) == 0) { ThreadPool.UnsafeQueueUserWorkItem(static events => events.RaiseAll(), this, preferLocal: false); }
    }

    private void RaiseAll()
    {
        do
        {
            while (_waiting.TryDequeue(out var next))
            {
                Interlocked.Decrement(ref _count);
                Raise(next.IsOpened ? Opened : Closed, new ChannelEventArgs(next.Channel));
            }
            Interlocked.Exchange(ref _isRaising, 0);    // an event that was queued meanwhile is found below, or its thread raises it
        }
        while (!_waiting.IsEmpty && Interlocked.Exchange(ref _isRaising, 1) == 0);
    }

    private void Raise(EventHandler<ChannelEventArgs>? subscribers, ChannelEventArgs args)
    {
        foreach (var subscriber in Delegate.EnumerateInvocationList(subscribers))
        {
            try { subscriber(sender, args); }
            catch (Exception exception) // The edge to user code: the other subscribers still get the event.
            {
                if (Log is { } log && log.TryPass(LogEvent.ChannelSubscriberFailed, null, out var held))
                {
                    Vocabulary.Log.ChannelSubscriberFailed(log.Logger, exception, held);
                }
            }
        }
    }
}
