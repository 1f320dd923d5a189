using System.Threading.Tasks.Dataflow;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Writes changes of observations to the user's store, off the lanes: the store may block, lanes may not.</summary>
/// <remarks>
/// Of each observation, only the last change waits. While the store hangs, there are at most as many waiting changes as there are observations in the list and
/// in the store, however often clients register and deregister. Safe for concurrent use.
/// </remarks>
internal sealed class ObserverJournal
{
    private readonly IObserverStore _store;
    private readonly EndpointLog _log;
    private readonly ActionBlock<ObserverJournal> _writer = new(static journal => journal.WriteAll());
    private readonly Lock _gate = new();
    private readonly Dictionary<(PeerIdentity Peer, int LocalPort, Token Token), LinkedListNode<Change>> _waiting = [];
    private readonly LinkedList<Change> _order = new();
    private bool _isWriting;

    public ObserverJournal(IObserverStore store, EndpointLog log) => (_store, _log) = (store, log);

    /// <summary>The number of changes that the store does not have yet.</summary>
    public int Count
    {
        get { lock (_gate) { return _waiting.Count; } }
    }

    /// <summary>Returns the observations that an earlier run has stored.</summary>
    public IReadOnlyList<StoredObserver> List() => _store.List();

    /// <summary>Stores an observation, or a higher limit of its numbers.</summary>
    /// <param name="lane">The lane of the observation.</param>
    /// <param name="request">The request of the registration.</param>
    /// <param name="limit">The limit of the sequence numbers.</param>
    /// <param name="isNew">Whether the observation was not stored before.</param>
    public void Save(ExchangeLane lane, IncomingRequest request, long limit, bool isNew) =>
        Add(new Change(lane, request.Key, request.Message.Token) { Message = request.Message, Limit = limit, IsNew = isNew });

    /// <summary>Removes an observation from the store.</summary>
    public void Remove(ExchangeLane lane, in ChannelKey key, Token token) => Add(new Change(lane, key, token));

    /// <summary>Writes the remaining changes.</summary>
    public Task CompleteAsync()
    {
        _writer.Complete();
        return _writer.Completion;
    }

    private void Add(Change change)
    {
        lock (_gate)
        {
            if (_waiting.Remove(change.Id, out var earlier))
            {
                _order.Remove(earlier);
                // The store has never heard of the observation.
                if (change.Message is null && earlier.Value is { Message: not null, IsNew: true }) { return; }
                change.IsNew &= earlier.Value.IsNew;
            }
            _waiting[change.Id] = _order.AddLast(change);
            if (_isWriting) { return; }
            _isWriting = true;
        }
        if (!_writer.Post(this)) { change.Lane.Metrics[LaneCounters.UnsavedObservations]++; }
    }

    private void WriteAll()
    {
        while (TakeNext() is { } change)
        {
            // A store that is full refuses a change, but the changes before it must reach the disk.
            if (!TryCall(change.WriteTo)) { change.Lane.Post(new LaneAction(() => change.Lane.Metrics[LaneCounters.UnsavedObservations]++)); }
        }
    }

    private Change? TakeNext()
    {
        while (true)
        {
            lock (_gate)
            {
                if (_order.First is { Value: var next })
                {
                    _order.RemoveFirst();
                    _waiting.Remove(next.Id);
                    return next;
                }
            }
            TryCall(static store => store.Flush());
            lock (_gate)
            {
                _isWriting = _order.First is not null;
                if (!_isWriting) { return null; }
            }
        }
    }

    private bool TryCall(Action<IObserverStore> call)
    {
        try
        {
            call(_store);
            return true;
        }
        catch (Exception exception) // The edge to the user's store: the server continues without it.
        {
            if (_log.TryPass(LogEvent.ObserverStoreFailed, null, out var held)) { Log.ObserverStoreFailed(_log.Logger, exception, held); }
            return false;
        }
    }

    private sealed class Change(ExchangeLane lane, in ChannelKey key, Token token)
    {
        private readonly ChannelKey _key = key;

        public (PeerIdentity Peer, int LocalPort, Token Token) Id => (_key.Peer, _key.Local.Port, token);

        public ExchangeLane Lane => lane;

        /// <summary>The request of the registration, which its observation keeps; <see langword="null"/> if the observation is removed.</summary>
        public CoapMessage? Message { get; init; }

        public long Limit { get; init; }

        /// <summary>Whether the store does not know the observation.</summary>
        public bool IsNew { get; set; }

        public void WriteTo(IObserverStore store)
        {
            if (Message is null)
            {
                store.Remove(_key.Peer, _key.Local, token);
                return;
            }
            store.Save(new StoredObserver
            {
                Peer = _key.Peer,
                Local = _key.Local,
                Token = token,
                Request = CoapMessageSerializer.Datagram.Serialize(Message),
                SequenceLimit = Limit,
            });
        }
    }
}
