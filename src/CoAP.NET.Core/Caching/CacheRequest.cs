using CoAP.Options;

namespace CoAP.Caching;

/// <summary>The parts of a request that a cache needs.</summary>
/// <param name="Origin">Scheme, host and port of the URI.</param>
/// <param name="Method">The method.</param>
/// <param name="Options">All options, including those of path and query.</param>
/// <param name="Payload">The body.</param>
internal readonly record struct CacheRequest(string Origin, CoapCode Method, OptionSet Options, ReadOnlyMemory<byte> Payload)
{
    // The cache sees every request, so requests that it never answers are recognized by the bits of their options if possible.
    private static readonly ulong Own = CacheKey.Interpreted | OptionNumber.SeenBit(Oscore.Declaration.Number);

    /// <summary>Whether the method only retrieves, as GET and FETCH do (RFC 7252, section 5.8; RFC 8132, section 2).</summary>
    public bool IsSafe => Method.IsSafe;

    /// <summary>Whether a stored response may answer the request: the caller does not validate, observe or transfer blocks itself.</summary>
    public bool MayUseStored => IsSafe && (Options.Seen & Own) == 0 && !Options.Contains<NoResponse>();

    /// <summary>Whether the response may be stored. The caller may validate it itself.</summary>
    public bool MayBeStored => IsSafe && (Options.Seen & Own & ~OptionNumber.SeenBit(ETag.Declaration.Number)) == 0 && !Options.Contains<NoResponse>();

    public CacheKey Resource => CacheKey.OfResource(Origin, Options);

    public CacheKey Key(CacheKey resource) => resource.WithRequest(Method, Options, Method == RequestCode.Fetch ? Payload.Span : default);
}
