using CoAP.Options;

namespace CoAP.Caching;

/// <summary>What a cache says to a request; goes back to it with the response.</summary>
/// <param name="Request">The request.</param>
/// <param name="Resource">Its resource; nothing where the cache has no part in it.</param>
/// <param name="Key">Where its response would be stored; nothing where it may not be.</param>
/// <param name="Found">The stored response, fresh or to be validated.</param>
/// <param name="IsFresh">Whether the stored response is the answer.</param>
/// <param name="Age">Its age in ticks.</param>
/// <param name="Change">The state of the resource: a response to a request from before a change is not stored after it.</param>
internal readonly record struct CacheTicket(
    CacheRequest Request, CacheKey? Resource, CacheKey? Key, StoredResponse? Found, bool IsFresh, long Age, long Change)
{
    /// <summary>What to send along so that the server can confirm the stored response (RFC 7252, section 5.6.2).</summary>
    public ETag? Validation => IsFresh ? null : Found?.Tag;
}

/// <summary>What became of a response in a cache.</summary>
internal enum CacheOutcome
{
    /// <summary>The response is the answer.</summary>
    UseResponse,

    /// <summary>The stored response, refreshed, is the answer.</summary>
    UseStored,

    /// <summary>The server confirmed something that was not asked for: the request has to be sent once more, without validation.</summary>
    Repeat,
}
