namespace CoAP.Vocabulary;

/// <summary>Tells subscribers which channels were opened and closed, on the thread pool and one event at a time. Safe for concurrent use.</summary>
/// <remarks>
/// <para>Peers decide how often channels open. The first events of channels wait in a bounded number of places, which accounts share as in
/// the ledger. A channel that finds no place loses both events, and a counter tells how many were lost. The last event of any other channel always waits:
/// there are at most as many of them as open channels and places.</para>
/// <para>Without a subscriber, nothing is queued, described or locked.</para>
/// </remarks>
/// <param name="sender">The sender of the events.</param>
internal sealed class ChannelEvents(object sender)
{
    /// <summary>The largest number of channels whose first event waits for subscribers.</summary>
    public const int MaxWaiting = 4096;

    private readonly Lock _gate = new();
    private readonly Queue<Waiting> _waiting = new();
    private readonly Dictionary<Account, int> _places = [];     // those that an account has taken
    private readonly HashSet<object> _untold = [];              // the open channels whose first event was lost
    private int _taken;
    private int _untoldCount;
    private bool _isRaising;
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
    /// <param name="channel">The channel.</param>
    /// <param name="keyOf">Returns what identifies the channel until it is closed.</param>
    /// <param name="describe">Describes the channel.</param>
    public void OnOpened<T>(T channel, Func<T, object> keyOf, Func<T, ChannelDescription> describe)
    {
        if (Opened is null) { return; }
        var description = describe(channel);
        lock (_gate)
        {
            if (TryTakePlace(description, out var account)) { Add(new Waiting(IsOpened: true, description, account)); }
            else if (_untold.Add(keyOf(channel))) { Volatile.Write(ref _untoldCount, _untold.Count); }
        }
    }

    /// <summary>Queues the event of a closed channel. The channel is described only if there is a subscriber.</summary>
    /// <inheritdoc cref="OnOpened" path="/param"/>
    public void OnClosed<T>(T channel, Func<T, object> keyOf, Func<T, ChannelDescription> describe)
    {
        if (Closed is null && Volatile.Read(ref _untoldCount) == 0) { return; }
        lock (_gate)
        {
            if (_untold.Count > 0 && _untold.Remove(keyOf(channel)))
            {
                Volatile.Write(ref _untoldCount, _untold.Count);
                if (Closed is not null) { _lost++; }
                return;
            }
            if (Closed is null) { return; }
            var description = describe(channel);
            // Channels without a first event are not limited by it.
            if (Opened is not null) { Add(new Waiting(IsOpened: false, description, null)); }
            else if (TryTakePlace(description, out var account)) { Add(new Waiting(IsOpened: false, description, account)); }
        }
    }

    // The holder of an IPv6 site has thousands of accounts, which share the places of one.
    private bool TryTakePlace(ChannelDescription channel, out Account account)
    {
        account = Account.Of(channel.Peer).Widest;
        var held = _places.GetValueOrDefault(account);
        if (held >= MaxWaiting - _taken)
        {
            _lost++;
            return false;
        }
        _places[account] = held + 1;
        _taken++;
        return true;
    }

    private void LeavePlace(in Account account)
    {
        _taken--;
        if (_places[account] == 1) { _places.Remove(account); }
        else { _places[account]--; }
    }

    private void Add(in Waiting next)
    {
        _waiting.Enqueue(next);
        if (_isRaising) { return; }
        _isRaising = true;
        ThreadPool.UnsafeQueueUserWorkItem(static events => events.RaiseAll(), this, preferLocal: false);
    }

    private void RaiseAll()
    {
        while (TryTake(out var next)) { Raise(next.IsOpened ? Opened : Closed, new ChannelEventArgs(next.Channel)); }
    }

    private bool TryTake(out Waiting next)
    {
        lock (_gate)
        {
            _isRaising = _waiting.TryDequeue(out next);
            if (_isRaising && next.Place is { } account) { LeavePlace(account); }
            return _isRaising;
        }
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

    /// <param name="IsOpened">Whether the channel was opened or closed.</param>
    /// <param name="Channel">The channel.</param>
    /// <param name="Place">The account that has taken a place; <see langword="null"/> if the event needs none.</param>
    private readonly record struct Waiting(bool IsOpened, ChannelDescription Channel, Account? Place);
}
