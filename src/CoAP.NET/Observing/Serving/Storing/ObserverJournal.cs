using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Writes changes of observations to the user's store, off the lanes: the store may block, lanes may not.</summary>
/// <remarks>
/// <para>Safe for concurrent use. Only the last change of each observation waits. An observation that ends before it reaches the store leaves nothing
/// behind.</para>
/// <para>So what waits needs no limit of its own, even if the store hangs. Each save belongs to a current observation, with which it shares the request,
/// and each removal belongs to an observation that was given to the store.</para>
/// </remarks>
internal sealed class ObserverJournal(IObserverStore store, EndpointLog log)
{
    // The end of the endpoint waits no longer for a store that hangs.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private readonly Dictionary<(PeerIdentity Peer, int LocalPort, Token Token), LinkedListNode<Change>> _waiting = [];
    private readonly LinkedList<Change> _order = new();
    private Task _writing = Task.CompletedTask;
    private bool _isWriting;
    private bool _isCompleted;
    private bool _isAbandoned;

    /// <summary>The number of changes that wait for the store.</summary>
    public int Count
    {
        get
        {
            lock (_gate) { return _order.Count; }
        }
    }

    /// <summary>Returns the observations that an earlier run has stored.</summary>
    public IReadOnlyList<StoredObserver> List() => store.List();

    /// <summary>Stores an observation, or a higher limit of its numbers.</summary>
    /// <param name="lane">The lane of the observation.</param>
    /// <param name="key">The client and the local address.</param>
    /// <param name="request">The registration.</param>
    /// <param name="sequenceLimit">The upper limit of the sequence numbers.</param>
    /// <param name="isKnown">Whether this observation was saved before.</param>
    public void Save(ExchangeLane lane, in ChannelKey key, CoapMessage request, long sequenceLimit, bool isKnown) =>
        Add(new Change(lane, key, request.Token, request, sequenceLimit, isKnown));

    /// <summary>Removes an observation that was saved, in this run or in an earlier one.</summary>
    public void Remove(ExchangeLane lane, in ChannelKey key, Token token) => Add(new Change(lane, key, token, Request: null, SequenceLimit: 0, IsStored: true));

    /// <summary>Accepts no further changes and writes those that wait. If the store takes too long, they are dropped, and the store gets no further calls.</summary>
    public async Task CompleteAsync(TimeProvider time)
    {
        Task writing;
        lock (_gate) { (_isCompleted, writing) = (true, _writing); }
        try { await writing.WaitAsync(Patience, time).ConfigureAwait(false); }
        catch (TimeoutException) when (!writing.IsCompleted)
        {
            LogFailure(new TimeoutException($"The store has not returned within {Patience.TotalSeconds} s. {Abandon()} changes were not stored."));
        }
    }

    private int Abandon()
    {
        lock (_gate)
        {
            var count = _order.Count;
            _isAbandoned = true;
            _order.Clear();
            _waiting.Clear();
            return count;
        }
    }

    private void Add(Change change)
    {
        lock (_gate)
        {
            if (_isCompleted) { return; }       // only a lane that user code has blocked is later than the end
            if (!_waiting.TryGetValue(change.Key, out var earlier)) { _waiting[change.Key] = _order.AddLast(change); }
            else if (change.Request is null && !earlier.Value.IsStored)
            {
                _order.Remove(earlier);
                _waiting.Remove(change.Key);
            }
            else { earlier.Value = change with { IsStored = earlier.Value.IsStored }; }
            if (_isWriting || _order.Count == 0) { return; }
            _isWriting = true;
            _writing = Task.Run(Write);
        }
    }

    private void Write()
    {
        while (TryTake(out var change))
        {
            // A store that is full refuses a change, but the changes before it must reach the disk.
            if (!TryCall(change.ApplyTo)) { change.Lane.Post(new LaneAction(() => change.Lane.Metrics[LaneCounters.UnsavedObservations]++)); }
            if (MustFlush()) { TryCall(static store => store.Flush()); }
        }
    }

    private bool TryTake([NotNullWhen(true)] out Change? change)
    {
        lock (_gate)
        {
            change = _order.First?.Value;
            _isWriting = change is not null;
            if (change is null) { return false; }
            _order.RemoveFirst();
            return _waiting.Remove(change.Key);
        }
    }

    private bool MustFlush()
    {
        lock (_gate) { return _order.Count == 0 && !_isAbandoned; }
    }

    private bool TryCall(Action<IObserverStore> call)
    {
        try
        {
            call(store);
            return true;
        }
        catch (Exception exception) // The edge to the user's store: the server continues without it.
        {
            LogFailure(exception);
            return false;
        }
    }

    private void LogFailure(Exception exception)
    {
        if (log.TryPass(LogEvent.ObserverStoreFailed, null, out var held)) { Log.ObserverStoreFailed(log.Logger, exception, held); }
    }

    /// <summary>The last change of an observation.</summary>
    /// <param name="Lane">The lane of the observation.</param>
    /// <param name="Channel">The client and the local address.</param>
    /// <param name="Token">The token of the observation.</param>
    /// <param name="Request">The registration to save; <see langword="null"/> for a removal.</param>
    /// <param name="SequenceLimit">The upper limit of the sequence numbers.</param>
    /// <param name="IsStored">Whether the store may have an observation with this key.</param>
    private sealed record Change(ExchangeLane Lane, ChannelKey Channel, Token Token, CoapMessage? Request, long SequenceLimit, bool IsStored)
    {
        public (PeerIdentity Peer, int LocalPort, Token Token) Key => (Channel.Peer, Channel.Local.Port, Token);

        public void ApplyTo(IObserverStore store)
        {
            if (Request is null) { store.Remove(Channel.Peer, Channel.Local, Token); }
            else
            {
                store.Save(new StoredObserver
                {
                    Peer = Channel.Peer,
                    Local = Channel.Local,
                    Token = Token,
                    Request = CoapMessageSerializer.Datagram.Serialize(Request),
                    SequenceLimit = SequenceLimit,
                });
            }
        }
    }
}
