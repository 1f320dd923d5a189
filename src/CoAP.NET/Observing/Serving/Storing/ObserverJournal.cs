using System.Threading.Tasks.Dataflow;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Writes changes of observations to the user's store, in order and off the lanes: the store may block, lanes may not.</summary>
internal sealed class ObserverJournal
{
    // Bounds the memory that a hanging store costs.
    private const int MaxWaiting = 65_536;

    private readonly IObserverStore _store;
    private readonly EndpointLog _log;
    private readonly ActionBlock<(ExchangeLane Lane, Action<IObserverStore> Change)> _entries;

    public ObserverJournal(IObserverStore store, EndpointLog log)
    {
        (_store, _log) = (store, log);
        _entries = new ActionBlock<(ExchangeLane, Action<IObserverStore>)>(Write, new ExecutionDataflowBlockOptions { BoundedCapacity = MaxWaiting });
    }

    /// <summary>Returns the observations that an earlier run has stored.</summary>
    public IReadOnlyList<StoredObserver> List() => _store.List();

    public void Save(ExchangeLane lane, StoredObserver observation) => Add(lane, store => store.Save(observation));

    public void Remove(ExchangeLane lane, ChannelKey key, Token token) => Add(lane, store => store.Remove(key.Peer, key.Local, token));

    /// <summary>Writes the remaining changes.</summary>
    public Task CompleteAsync()
    {
        _entries.Complete();
        return _entries.Completion;
    }

    private void Add(ExchangeLane lane, Action<IObserverStore> change)
    {
        if (!_entries.Post((lane, change))) { lane.Metrics[LaneCounters.UnsavedObservations]++; }
    }

    private void Write((ExchangeLane Lane, Action<IObserverStore> Change) entry)
    {
        // A store that is full refuses a change, but the changes before it must reach the disk.
        if (!TryCall(entry.Change)) { entry.Lane.Post(new LaneAction(() => entry.Lane.Metrics[LaneCounters.UnsavedObservations]++)); }
        if (_entries.InputCount == 0) { TryCall(static store => store.Flush()); }
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
}
