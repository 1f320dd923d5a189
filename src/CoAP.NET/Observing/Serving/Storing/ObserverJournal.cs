using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Writes changes of observations to the user's store.</summary>
/// <remarks>
/// An observation that ends before it reaches the store leaves nothing behind. Each save belongs to a current observation, with which it shares the request, and
/// each removal belongs to an observation that was given to the store.
/// </remarks>
internal sealed class ObserverJournal(IObserverStore store, EndpointLog log, TimeProvider time)
    : ChangeJournal<ObserverKey, ObserverJournal.Change>(new JournalRest(time, Factor: 20, Longest: TimeSpan.FromSeconds(30)))
{
    private const int MostZones = 8;

    /// <summary>
    /// Returns the observations that an earlier run has stored. Removes those whose clients are behind an interface that this machine does
    /// not have.
    /// </summary>
    public IReadOnlyList<StoredObserver> List()
    {
        var stored = store.List();
        StoredObserver[] lost = [.. stored.Where(static one => one.LostZone is not null)];
        if (lost.Length == 0) { return stored; }
        foreach (var one in lost) { Forget(one); }
        var zones = string.Join(", ", lost.Select(static one => one.LostZone!).Distinct().Take(MostZones));
        Log.ObserversDropped(log.Logger, lost.Length, ForeignText.Clean(zones));
        return [.. stored.Where(static one => one.LostZone is null)];
    }

    /// <summary>Stores an observation, or a higher limit of its numbers.</summary>
    /// <param name="lane">The lane of the observation.</param>
    /// <param name="key">The client and the local address.</param>
    /// <param name="request">The registration.</param>
    /// <param name="sequenceLimit">The upper limit of the sequence numbers.</param>
    /// <param name="isKnown">Whether this observation was saved before.</param>
    /// <param name="format">The Content-Format of what the client has got, see <see cref="StoredObserver.ContentFormat"/>.</param>
    public void Save(ExchangeLane lane, in ChannelKey key, CoapMessage request, long sequenceLimit, bool isKnown, int? format) =>
        Add(new Change(lane, key, request.Token, request, sequenceLimit, isKnown) { Format = format });

    /// <summary>Removes an observation that was saved, in this run or in an earlier one.</summary>
    public void Remove(ExchangeLane lane, in ChannelKey key, Token token) => Add(new Change(lane, key, token, Request: null, SequenceLimit: 0, IsStored: true));

    /// <inheritdoc/>
    protected override Change? Merge(Change earlier, Change later) =>
        later.Request is null && !earlier.IsStored ? null : later with { IsStored = earlier.IsStored };

    /// <inheritdoc/>
    protected override void Apply(Change change) => change.ApplyTo(store);

    /// <inheritdoc/>
    protected override void Flush() => store.Flush();

    /// <inheritdoc/>
    protected override void OnRefused(Change change) => change.Lane.Post(new LaneAction(() => change.Lane.Metrics[LaneCounters.UnsavedObservations]++));

    /// <inheritdoc/>
    protected override void OnFailed(Exception exception)
    {
        if (log.TryPass(LogEvent.ObserverStoreFailed, null, out var held)) { Log.ObserverStoreFailed(log.Logger, exception, held); }
    }

    private void Add(Change change) => Add(change.Key, change);

    // Nothing else uses the store before the server has started.
    private void Forget(StoredObserver lost)
    {
        try { store.Remove(lost.Peer, lost.Local, lost.Token); }
        catch (Exception exception) // The edge to the user's store: the server continues without it.
        {
            OnFailed(exception);
        }
    }

    /// <summary>The last change of an observation.</summary>
    /// <param name="Lane">The lane of the observation.</param>
    /// <param name="Channel">The client and the local address.</param>
    /// <param name="Token">The token of the observation.</param>
    /// <param name="Request">The registration to save; <see langword="null"/> for a removal.</param>
    /// <param name="SequenceLimit">The upper limit of the sequence numbers.</param>
    /// <param name="IsStored">Whether the store may have an observation with this key.</param>
    internal sealed record Change(ExchangeLane Lane, ChannelKey Channel, Token Token, CoapMessage? Request, long SequenceLimit, bool IsStored)
    {
        public int? Format { get; init; }

        public ObserverKey Key => new(Channel.Peer, Channel.Local, Token);

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
                    ContentFormat = Format,
                });
            }
        }
    }
}
