using System.Security.Cryptography;
using System.Text;
using CoAP.Options;

namespace CoAP.Caching;

/// <summary>The key of stored responses: a resource, or one form of request to it (RFC 7252, section 5.6).</summary>
/// <param name="Own">What the key adds to that of the resource.</param>
/// <param name="Resource">The key of the resource; <see langword="null"/> if this is it.</param>
internal sealed record CacheKey(OptionKey Own, CacheKey? Resource = null) : ISeededKey
{
    /// <summary>A bit for each option that the cache or the client itself interprets.</summary>
    public static readonly ulong Interpreted =
        BlockOption.Bits | OptionNumber.SeenBit(ETag.Declaration.Number) | OptionNumber.SeenBit(Observe.Declaration.Number);

    /// <summary>The number of bytes of the key without those of the resource.</summary>
    public int Length => Own.Length;

    public override int GetHashCode() => SeededHash.Combine(Own.GetHashCode(), Resource?.GetHashCode() ?? 0);

    /// <summary>Returns the key of a resource: its origin and the options of its URI.</summary>
    /// <param name="origin">Scheme, host and port.</param>
    /// <param name="options">All options of the request.</param>
    public static CacheKey OfResource(string origin, in OptionSet options) => new(new OptionKey(Encoding.UTF8.GetBytes(origin), options, IsUri));

    /// <summary>Returns the key of the resource in Location-Path and Location-Query, relative to the request (RFC 7252, section 5.10.7).</summary>
    public static CacheKey OfLocation(string origin, in OptionSet request, in OptionSet response)
    {
        var path = response.GetAll<LocationPath>().Select(segment => new UriPath(segment.Value));
        var query = response.GetAll<LocationQuery>().Select(argument => new UriQuery(argument.Value));
        return OfResource(origin, [.. request.GetAll<UriHost>(), .. request.GetAll<UriPort>(), .. path, .. query]);
    }

    /// <summary>Returns the key of a request to the resource. The payload of a FETCH is part of the key as its SHA-256 (RFC 8132, section 2).</summary>
    public CacheKey WithRequest(CoapCode method, in OptionSet options, ReadOnlySpan<byte> payload) =>
        new(new OptionKey([method.Value], options, IsOfRequest, payload.IsEmpty ? default : SHA256.HashData(payload)), Resource: this);

    private static bool IsUri(int number) => number is 3 or 7 or 11 or 15 or 35 or 39;

    // The cache itself uses ETag. Observe and the options of block-wise transfers do not change what is requested.
    private static bool IsOfRequest(int number) =>
        !IsUri(number) && !OptionNumber.IsNoCacheKey(number) && !OptionNumber.IsIn(Interpreted, number);
}
