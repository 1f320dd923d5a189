using CoAP.Exchanges;

namespace CoAP.Caching;

/// <summary>One call of a client with a cache.</summary>
/// <remarks>Used only by the caller. A cache hit does not reach a lane.</remarks>
internal sealed class CachedCall
{
    private readonly ResponseCache _cache;
    private readonly RequestTarget _target;
    private CacheTicket _ticket;

    public CachedCall(ResponseCache cache, in RequestTarget target, bool useStored)
    {
        (_cache, _target) = (cache, target);
        _ticket = cache.Begin(CacheRequestOf(target), useStored);
        if (_ticket.IsFresh) { Answer = FromCache(_ticket.Found!, TimeSpan.FromTicks(_ticket.Age), TimeSpan.Zero); }
    }

    /// <summary>The response; <see langword="null"/> if a request has to be sent.</summary>
    public CoapResponse? Answer { get; private set; }

    /// <summary>The request of the caller.</summary>
    public RequestTarget Asked => _target;

    /// <summary>The next request to send.</summary>
    public RequestTarget Target => _ticket.Validation is { } tag ? _target.Validating(tag) : _target;

    /// <summary>Processes the response to the request that was sent.</summary>
    public void Take(CoapResponse response)
    {
        var outcome = _cache.End(_ticket, response, out var stored);
        if (outcome == CacheOutcome.UseStored) { Answer = FromCache(stored!, TimeSpan.Zero, response.RoundTripTime); }
        else if (outcome == CacheOutcome.Repeat) { _ticket = _cache.Begin(CacheRequestOf(_target), useStored: false); }
        else { Answer = response; }
    }

    /// <summary>Ends the call without a response. Returns <see langword="false"/>, for use in an exception filter.</summary>
    public bool Fail()
    {
        _cache.Fail(_ticket);
        return false;
    }

    /// <summary>Returns the parts of a request that matter to a cache.</summary>
    public static CacheRequest CacheRequestOf(in RequestTarget target) => new(target.Origin, target.Request.Method, target.PathOptions, target.Request.Payload);

    private CoapResponse FromCache(StoredResponse stored, TimeSpan age, TimeSpan roundTrip) => new(stored.Code, stored.Options, stored.Payload)
    {
        Remote = stored.Source,
        Asked = _target.Request,
        RoundTripTime = roundTrip,
        IsFromCache = true,
        Age = age,
    };
}
