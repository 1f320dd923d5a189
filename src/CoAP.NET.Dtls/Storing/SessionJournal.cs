namespace CoAP.Dtls;

/// <summary>Writes changes of sessions to the user's store. A session that ends before it reaches the store is not written at all.</summary>
internal sealed class SessionJournal(IDtlsSessionStore store, Action<Exception> failed) : ChangeJournal<string, SessionJournal.Change>
{
    /// <summary>Takes over the sessions of an earlier run. What the store throws ends the start of the endpoint.</summary>
    public IReadOnlyList<DtlsSessionState> TakeOver() => store.TakeOver();

    /// <summary>Stores a session.</summary>
    /// <param name="session">The session.</param>
    /// <param name="isKnown">Whether it was stored before.</param>
    public void Save(DtlsSessionState session, bool isKnown) => Add(session.Id, new Change(session.Id, session, isKnown));

    /// <summary>Removes a session that was stored, in this run or in an earlier one.</summary>
    /// <param name="id">The session.</param>
    /// <param name="generation">The generation of this owner: a later owner keeps the session.</param>
    public void Remove(string id, int generation) => Add(id, new Change(id, Session: null, IsStored: true) { Generation = generation });

    /// <inheritdoc/>
    protected override Change? Merge(Change earlier, Change later) =>
        later.Session is null && !earlier.IsStored ? null : later with { IsStored = earlier.IsStored };

    /// <inheritdoc/>
    protected override void Apply(Change change)
    {
        if (change.Session is { } session) { store.Save(session); }
        else { store.Remove(change.Id, change.Generation); }
    }

    /// <inheritdoc/>
    protected override void Flush() => store.Flush();

    /// <inheritdoc/>
    protected override void OnFailed(Exception exception) => failed(exception);

    /// <summary>The last change of a session.</summary>
    /// <param name="Id">The name of the session.</param>
    /// <param name="Session">The session; <see langword="null"/> for a removal.</param>
    /// <param name="IsStored">Whether the store may have it.</param>
    internal sealed record Change(string Id, DtlsSessionState? Session, bool IsStored)
    {
        /// <summary>The generation of the owner that removes the session.</summary>
        public int Generation { get; init; }
    }
}
