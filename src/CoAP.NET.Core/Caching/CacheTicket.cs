using CoAP.Options;

namespace CoAP.Caching;

/// <summary>The result of looking up a request, which is passed back with the response.</summary>
/// <param name="Request">The request.</param>
/// <param name="Resource">Its resource, or <see langword="null"/> if the cache is not involved.</param>
/// <param name="Key">The key to store the response under, or <see langword="null"/> if it must not be stored.</param>
/// <param name="Change">The state of the resource. A response is not stored if the state has changed since.</param>
/// <param name="Found">The stored response, fresh or to be validated.</param>
/// <param name="IsFresh">Whether the stored response is the answer.</param>
/// <param name="Age">The age of the stored response in ticks.</param>
internal readonly record struct CacheTicket(
    CacheRequest Request, CacheKey? Resource, CacheKey? Key, long Change, StoredResponse? Found = null, bool IsFresh = false, long Age = 0)
{
    /// <summary>The option with which the server can confirm the stored response (RFC 7252, section 5.6.2).</summary>
    public ETag? Validation => IsFresh ? null : Found?.Tag;
}

/// <summary>The effect of a response on a cache.</summary>
internal enum CacheOutcome
{
    /// <summary>The response is the answer.</summary>
    UseResponse,

    /// <summary>The stored response, now refreshed, is the answer.</summary>
    UseStored,

    /// <summary>The server has confirmed a representation that was not in the request. The request must be repeated without validation.</summary>
    Repeat,
}
