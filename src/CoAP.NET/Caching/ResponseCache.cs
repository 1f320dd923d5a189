using CoAP.Caching;
using CoAP.Exchanges;

namespace CoAP;

/// <summary>Responses that are used again while they are fresh, and validated afterwards (RFC 7252, section 5.6).</summary>
/// <remarks>
/// Given to a client by <see cref="CoapClientSettings.Cache"/>; several may share one if what one may see, all may see. 2.05 and errors to GET and FETCH
/// are kept, 60 seconds where they say no Max-Age. A success of any other method makes what is stored of the resource not fresh. Safe for concurrent use.
/// </remarks>
public sealed class ResponseCache
{
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly CacheStore _store;

    /// <summary>Makes an empty cache.</summary>
    public ResponseCache(ResponseCacheSettings? settings = null)
    {
        settings ??= new ResponseCacheSettings();
        _time = settings.TimeProvider;
        _store = new CacheStore(settings.MaxEntries, settings.MaxBytes);
    }

    /// <summary>The responses that are stored.</summary>
    public int Count
    {
        get { lock (_gate) { return _store.Count; } }
    }

    /// <summary>The bytes that they take, about.</summary>
    public long Bytes
    {
        get { lock (_gate) { return _store.Bytes; } }
    }

    /// <summary>Stores a response that came in another way than by the client's own calls, such as a notification (RFC 7641, section 3.3.1).</summary>
    /// <param name="request">The request that it answers, with an absolute URI.</param>
    /// <param name="response">The response; one that may not be stored takes away what is stored.</param>
    /// <exception cref="ArgumentException">The request has no absolute URI.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public void Store(CoapRequest request, CoapResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        var seen = CachedCall.See(RequestTarget.Of(request));
        if (!seen.IsSafe) { throw new ArgumentException($"Responses to {seen.Method} are not stored; those to GET and FETCH are.", nameof(request)); }
        lock (_gate) { _store.Put(seen, Keep(response), Now); }
    }

    /// <summary>Marks all that is stored of a resource as not fresh, so that it is validated or fetched again.</summary>
    /// <param name="uri">An absolute URI.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public void Invalidate(string uri)
    {
        var seen = CachedCall.See(RequestTarget.Of(new CoapRequest(RequestCode.Get, uri)));
        lock (_gate) { _store.Change(seen.Resource); }
    }

    /// <summary>Forgets everything.</summary>
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

    /// <summary>What stores the notifications of an observation, each in the place of what was stored before (RFC 7641, section 3.3).</summary>
    internal Action<CoapResponse> NotificationsOf(in RequestTarget target)
    {
        var seen = CachedCall.See(target);
        return response => End(Begin(seen, useStored: false), response, out _);
    }

    internal void Fail(in CacheTicket ticket)
    {
        lock (_gate) { _store.Fail(ticket); }
    }

    private long Now => _time.GetElapsedTime(0, _time.GetTimestamp()).Ticks;

    private static StoredResponse Keep(CoapResponse response) => new(response.Code, response.Options, response.Payload, response.Remote);
}
