using CoAP.Options;

namespace CoAP.Caching;

// The rules (RFC 7252, sections 5.6 and 5.9):
// - A response is reused for a request with the same cache key while it is fresh, or after the server has confirmed its ETag.
// - 2.05 and errors in response to GET and FETCH are stored, except for 4.29 and 5.03, which say when to ask again and leave the stored
//   response. The time of errors is limited, because a client that does not ask never learns that there is no error any more. Responses to
//   other methods are not stored, because their payload is not part of the key.
// - A successful request with another method invalidates the stored responses of the resource and of the Location-* resource. So does such a
//   request without a response, because the server may have processed it.
// - Of two responses to the same request the later one is used, even if it cannot be stored.
// - A response that was requested before a change and arrives after it is not stored.

/// <summary>The stored responses, found by request. If there are too many, the least recently used one is removed (RFC 7252, section 5.6).</summary>
/// <param name="maxEntries">The largest number of responses.</param>
/// <param name="maxBytes">The bytes of all responses and keys.</param>
/// <param name="maxErrorAge">The longest time for which an error is fresh, in ticks.</param>
/// <remarks>Not safe for concurrent use. Times are monotonic ticks.</remarks>
internal sealed class CacheStore(int maxEntries, long maxBytes, long maxErrorAge)
{
    private const int ChangeCounters = 256;

    private readonly Dictionary<CacheKey, LinkedListNode<CacheEntry>> _entries = [];
    private readonly Dictionary<CacheKey, HashSet<CacheEntry>> _resources = [];
    private readonly LinkedList<CacheEntry> _byUse = new();     // the most recent one first

    // Counts changes. Several resources share a counter, so a response may be discarded although its resource has not changed.
    private readonly long[] _changes = new long[ChangeCounters];

    public int Count => _entries.Count;

    public long Bytes { get; private set; }

    /// <summary>Looks a request up before it is sent.</summary>
    /// <param name="request">The request.</param>
    /// <param name="useStored">Whether a stored response may answer the request. Otherwise the response only replaces it.</param>
    /// <param name="now">The time.</param>
    public CacheTicket Begin(in CacheRequest request, bool useStored, long now)
    {
        if (!request.IsSafe) { return new(request, request.Resource, Key: null, Change: 0); }
        if (!request.MayBeStored) { return new(request, Resource: null, Key: null, Change: 0); }
        var ticket = TicketFor(request);
        if (!useStored || !request.MayUseStored || !_entries.TryGetValue(ticket.Key!, out var node)) { return ticket; }
        var entry = node.Value;
        if (entry.IsFresh(now))
        {
            _byUse.Remove(node);
            _byUse.AddFirst(node);
            return ticket with { Found = entry.Response, IsFresh = true, Age = entry.Age(now) };
        }
        if (entry.Response.Tag is not null) { return ticket with { Found = entry.Response }; }
        Remove(entry);
        return ticket;
    }

    /// <summary>Takes the response to a request that was looked up before.</summary>
    /// <param name="ticket">The result of <see cref="Begin"/>.</param>
    /// <param name="response">The response.</param>
    /// <param name="now">The time.</param>
    /// <param name="stored">The answer, if it comes from the cache.</param>
    public CacheOutcome End(in CacheTicket ticket, StoredResponse response, long now, out StoredResponse? stored)
    {
        stored = null;
        if (ticket.Key is null)
        {
            if (ticket.Resource is not null && response.Code.IsSuccess) { Change(ticket, response); }
        }
        else if (response.Code != ResponseCode.Valid) { Put(ticket, response, now); }
        else if (ticket.Found is null) { RefreshKnown(ticket, response, now); }
        else if (response.Options.Get<ETag>() is not { } tag || tag != ticket.Found.Tag) { return CacheOutcome.Repeat; }
        else
        {
            stored = ticket.Found.Refreshed(response.Options);
            Put(ticket, stored, now);
            return CacheOutcome.UseStored;
        }
        return CacheOutcome.UseResponse;
    }

    /// <summary>Called when there was no response. The server may have processed a request that changes something.</summary>
    public void Fail(in CacheTicket ticket)
    {
        if (ticket.Key is null && ticket.Resource is { } resource) { Change(resource); }
    }

    /// <summary>Stores a response that was not looked up before, such as a notification (RFC 7641, section 3.3.1).</summary>
    public void Put(in CacheRequest request, StoredResponse response, long now) => Put(TicketFor(request), response, now);

    /// <summary>Marks all stored responses of a resource as not fresh and removes those that cannot be validated.</summary>
    public void Change(CacheKey resource)
    {
        ChangesOf(resource)++;
        if (!_resources.TryGetValue(resource, out var entries)) { return; }
        foreach (var entry in entries.ToArray())
        {
            entry.IsOutdated = true;
            if (entry.Response.Tag is null) { Remove(entry); }
        }
    }

    public void Clear()
    {
        foreach (ref var changes in _changes.AsSpan()) { changes++; }
        _entries.Clear();
        _resources.Clear();
        _byUse.Clear();
        Bytes = 0;
    }

    private void Change(in CacheTicket ticket, StoredResponse response)
    {
        Change(ticket.Resource!);
        if (response.Options.Contains<LocationPath>() || response.Options.Contains<LocationQuery>())
        {
            Change(CacheKey.OfLocation(ticket.Request.Origin, ticket.Request.Options, response.Options));
        }
    }

    // The caller validates and receives the 2.03. If it confirms the stored response, that is fresh again.
    private void RefreshKnown(in CacheTicket ticket, StoredResponse valid, long now)
    {
        if (!_entries.TryGetValue(ticket.Key!, out var node) || valid.Options.Get<ETag>() is not { } tag || tag != node.Value.Response.Tag) { return; }
        Put(ticket, node.Value.Response.Refreshed(valid.Options), now);
    }

    private void Put(in CacheTicket ticket, StoredResponse response, long now)
    {
        if (ticket.Change != ChangesOf(ticket.Resource!)) { return; }
        if (response.IsRefusal) { return; }
        if (_entries.TryGetValue(ticket.Key!, out var old)) { Remove(old.Value); }
        if (!response.IsCacheable) { return; }
        var isError = response.Code != ResponseCode.Content;
        if (isError && maxErrorAge == 0) { return; }
        var lifetime = response.MaxAge * TimeSpan.TicksPerSecond;
        var entry = new CacheEntry(ticket.Key!, response.ToStore(), now, isError ? Math.Min(lifetime, maxErrorAge) : lifetime);
        if (entry.Size > maxBytes || maxEntries == 0) { return; }
        while (Count >= maxEntries || Bytes + entry.Size > maxBytes) { Remove(_byUse.Last!.Value); }
        _entries.Add(entry.Key, _byUse.AddFirst(entry));
        if (!_resources.TryGetValue(entry.Resource, out var entries)) { _resources.Add(entry.Resource, entries = []); }
        entries.Add(entry);
        Bytes += entry.Size;
    }

    private void Remove(CacheEntry entry)
    {
        _entries.Remove(entry.Key, out var node);
        _byUse.Remove(node!);
        var entries = _resources[entry.Resource];
        entries.Remove(entry);
        if (entries.Count == 0) { _resources.Remove(entry.Resource); }
        Bytes -= entry.Size;
    }

    private CacheTicket TicketFor(in CacheRequest request)
    {
        var resource = request.Resource;
        return new(request, resource, request.Key(resource), ChangesOf(resource));
    }

    private ref long ChangesOf(CacheKey resource) => ref _changes[(uint)resource.GetHashCode() % ChangeCounters];
}
