using CoAP.Options;

namespace CoAP.Caching;

// The rules (RFC 7252, sections 5.6 and 5.9):
// - A response is used again for a request with the same cache key, while it is fresh or after the server has confirmed it by its ETag.
// - 2.05 and errors to GET and FETCH are kept. What answers a method that changes something is not: its payload is no part of the key.
// - A success of a method that changes something makes all that is stored of the resource not fresh, and of the Location-* resource too.
//   So does such a request without a response, because it may have been acted on.
// - Of two responses to the same request the later one counts, cacheable or not.
// - What was asked before a change and comes after it is not kept.

/// <summary>Stored responses, found by request; the one that was used least recently goes when there are too many (RFC 7252, section 5.6).</summary>
/// <remarks>Not safe for concurrent use. Times are monotonic ticks.</remarks>
internal sealed class CacheStore(int maxEntries, long maxBytes)
{
    private const int ChangeCounters = 256;

    private readonly Dictionary<CacheKey, LinkedListNode<CacheEntry>> _entries = [];
    private readonly Dictionary<CacheKey, HashSet<CacheEntry>> _resources = [];
    private readonly LinkedList<CacheEntry> _byUse = new();     // the most recent one first

    // Counts changes of resources, several of which share a counter: then one more response than necessary is not kept.
    private readonly long[] _changes = new long[ChangeCounters];

    public int Count => _entries.Count;

    public long Bytes { get; private set; }

    /// <summary>Looks a request up before it is sent.</summary>
    /// <param name="request">The request.</param>
    /// <param name="useStored">Whether a stored response may be the answer; otherwise the response only takes its place.</param>
    /// <param name="now">The time.</param>
    public CacheTicket Begin(in CacheRequest request, bool useStored, long now)
    {
        if (request.IsSafe && !request.MayBeStored) { return new(request, null, null, null, false, 0, 0); }
        var resource = request.Resource;
        if (!request.IsSafe) { return new(request, resource, null, null, false, 0, 0); }
        var key = request.Key(resource);
        var change = ChangesOf(resource);
        if (!useStored || !request.MayUseStored || !_entries.TryGetValue(key, out var node)) { return new(request, resource, key, null, false, 0, change); }
        var entry = node.Value;
        if (entry.IsFresh(now))
        {
            MarkUsed(node);
            return new(request, resource, key, entry.Response, true, entry.Age(now), change);
        }
        if (entry.Response.Tag is not null) { return new(request, resource, key, entry.Response, false, 0, change); }
        Remove(entry);
        return new(request, resource, key, null, false, 0, change);
    }

    /// <summary>Takes the response to a request that was looked up before.</summary>
    /// <param name="ticket">What <see cref="Begin"/> answered.</param>
    /// <param name="response">The response.</param>
    /// <param name="now">The time.</param>
    /// <param name="stored">The answer, where it comes out of the cache.</param>
    public CacheOutcome End(in CacheTicket ticket, StoredResponse response, long now, out StoredResponse? stored)
    {
        stored = null;
        if (ticket.Resource is null) { return CacheOutcome.UseResponse; }
        if (ticket.Key is null)
        {
            if (response.Code.IsSuccess) { Change(ticket, response); }
            return CacheOutcome.UseResponse;
        }
        if (response.Code != ResponseCode.Valid)
        {
            Put(ticket, response, now);
            return CacheOutcome.UseResponse;
        }
        if (ticket.Found is null)
        {
            RefreshKnown(ticket, response, now);
            return CacheOutcome.UseResponse;
        }
        if (response.Options.Get<ETag>() is not { } tag || tag != ticket.Found.Tag) { return CacheOutcome.Repeat; }
        stored = ticket.Found.Refreshed(response.Options);
        Put(ticket, stored, now);
        return CacheOutcome.UseStored;
    }

    /// <summary>No response came: a request that changes something may have been acted on.</summary>
    public void Fail(in CacheTicket ticket)
    {
        if (ticket.Key is null && ticket.Resource is { } resource) { Change(resource); }
    }

    /// <summary>Stores what came without having been looked up, such as a notification (RFC 7641, section 3.3.1).</summary>
    public void Put(in CacheRequest request, StoredResponse response, long now)
    {
        var resource = request.Resource;
        Put(new CacheTicket(request, resource, request.Key(resource), null, false, 0, ChangesOf(resource)), response, now);
    }

    /// <summary>Marks all that is stored of a resource as not fresh; what cannot be validated goes.</summary>
    public void Change(CacheKey resource)
    {
        _changes[IndexOf(resource)]++;
        if (!_resources.TryGetValue(resource, out var entries)) { return; }
        foreach (var entry in entries.ToArray())
        {
            entry.IsOutdated = true;
            if (entry.Response.Tag is null) { Remove(entry); }
        }
    }

    public void Clear()
    {
        for (var i = 0; i < _changes.Length; i++) { _changes[i]++; }
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

    // The caller validates by itself and is told 2.03; if it is about what is stored here, that is fresh again.
    private void RefreshKnown(in CacheTicket ticket, StoredResponse valid, long now)
    {
        if (!_entries.TryGetValue(ticket.Key!, out var node) || valid.Options.Get<ETag>() is not { } tag || tag != node.Value.Response.Tag) { return; }
        Put(ticket, node.Value.Response.Refreshed(valid.Options), now);
    }

    private void Put(in CacheTicket ticket, StoredResponse response, long now)
    {
        if (ticket.Change != ChangesOf(ticket.Resource!)) { return; }
        if (_entries.TryGetValue(ticket.Key!, out var old)) { Remove(old.Value); }
        if (!response.IsCacheable) { return; }
        var entry = new CacheEntry(ticket.Key!, ticket.Resource!, response.ToStore(), now);
        if (entry.Size > maxBytes || maxEntries == 0) { return; }
        while (Count >= maxEntries || Bytes + entry.Size > maxBytes) { Remove(_byUse.Last!.Value); }
        _entries.Add(entry.Key, _byUse.AddFirst(entry));
        if (!_resources.TryGetValue(entry.Resource, out var entries)) { _resources.Add(entry.Resource, entries = []); }
        entries.Add(entry);
        Bytes += entry.Size;
    }

    private void MarkUsed(LinkedListNode<CacheEntry> node)
    {
        _byUse.Remove(node);
        _byUse.AddFirst(node);
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

    private long ChangesOf(CacheKey resource) => _changes[IndexOf(resource)];

    private static int IndexOf(CacheKey resource) => (int)((uint)resource.GetHashCode() % ChangeCounters);
}
