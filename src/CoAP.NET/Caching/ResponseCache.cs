using CoAP.Caching;
using CoAP.Exchanges;

namespace CoAP;

/// <summary>Stores responses, reuses them while they are fresh, and validates them afterwards (RFC 7252, section 5.6).</summary>
/// <remarks>
/// Set <see cref="CoapClientSettings.Cache"/> to use a cache. Clients may share a cache if they have the same access rights. The cache stores
/// 2.05 responses and errors to GET and FETCH, for 60 seconds if they have no Max-Age, and errors for a limited time
/// (<see cref="ResponseCacheSettings.MaxErrorAge"/>); not 4.29 and 5.03, which only say when to ask again
/// (<see cref="CoapClientSettings.MaxRetryAfter"/>). A success of any other method makes the stored responses of the resource stale. Safe
/// for concurrent use.
/// </remarks>
public sealed class ResponseCache
{
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly CacheStore _store;

    /// <summary>Creates an empty cache.</summary>
    public ResponseCache(ResponseCacheSettings? settings = null)
    {
        settings ??= new ResponseCacheSettings();
        _time = settings.TimeProvider;
        _store = new CacheStore(settings.MaxEntries, settings.MaxBytes, settings.MaxErrorAge.Ticks);
    }

    /// <summary>The number of stored responses.</summary>
    public int Count
    {
        get { lock (_gate) { return _store.Count; } }
    }

    /// <summary>The approximate size of the stored responses in bytes.</summary>
    public long Bytes
    {
        get { lock (_gate) { return _store.Bytes; } }
    }

    /// <summary>Stores a response that did not arrive through a call of the client, such as a notification (RFC 7641, section 3.3.1).</summary>
    /// <param name="request">The request that the response answers, with an absolute URI.</param>
    /// <param name="response">The response. One that must not be stored removes the stored one.</param>
    /// <exception cref="ArgumentException">The request has no absolute URI, or is neither a GET nor a FETCH.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public void Store(CoapRequest request, CoapResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        var cacheRequest = CachedCall.CacheRequestOf(RequestTarget.Of(request));
        if (!cacheRequest.IsSafe)
        {
            throw new ArgumentException($"Responses to {cacheRequest.Method} cannot be stored; only those to GET and FETCH can.", nameof(request));
        }
        lock (_gate) { _store.Put(cacheRequest, Keep(response), Now); }
    }

    /// <summary>Makes the stored responses of a resource stale, so that they are validated or fetched again.</summary>
    /// <param name="uri">An absolute URI.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public void Invalidate(string uri)
    {
        var cacheRequest = CachedCall.CacheRequestOf(RequestTarget.Of(new CoapRequest(RequestCode.Get, uri)));
        lock (_gate) { _store.Change(cacheRequest.Resource); }
    }

    /// <summary>Removes all stored responses.</summary>
    public void Clear()
    {
        lock (_gate) { _store.Clear(); }
    }

    internal CacheTicket Begin(in CacheRequest request, bool useStored)
    {
        lock (_gate) { return _store.Begin(request, useStored, Now); }
    }

    internal CacheOutcome End(in CacheTicket ticket, CoapResponse response, out StoredResponse? stored)
    {
        lock (_gate)
        {
            if (response.FollowsBlocks) { _store.Fail(ticket); }
            return _store.End(ticket, Keep(response), Now, out stored);
        }
    }

    /// <summary>Returns a callback that stores each notification of an observation in place of the previous one (RFC 7641, section 3.3).</summary>
    internal Action<CoapResponse> NotificationsOf(in RequestTarget target)
    {
        var cacheRequest = CachedCall.CacheRequestOf(target);
        return response => End(Begin(cacheRequest, useStored: false), response, out _);
    }

    internal void Fail(in CacheTicket ticket)
    {
        lock (_gate) { _store.Fail(ticket); }
    }

    private long Now => _time.GetElapsedTime(0, _time.GetTimestamp()).Ticks;

    private static StoredResponse Keep(CoapResponse response) => new(response.Code, response.Options, response.Payload, response.Remote);
}
