using CoAP.Options;

namespace CoAP.Caching;

/// <summary>A request as a cache sees it.</summary>
/// <param name="Origin">Scheme, host and port of the URI.</param>
/// <param name="Method">The method.</param>
/// <param name="Options">All options, those of the URI's path and query included.</param>
/// <param name="Payload">The body.</param>
internal readonly record struct CacheRequest(string Origin, CoapCode Method, OptionSet Options, ReadOnlyMemory<byte> Payload)
{
    // The cache is asked for all requests, so what it never answers is told by the bits of the options alone where that is possible.
    private static readonly ulong Own =
        OptionNumber.SeenBit(ETag.Declaration.Number) | OptionNumber.SeenBit(Observe.Declaration.Number) | OptionNumber.SeenBit(Oscore.Declaration.Number)
        | OptionNumber.SeenBit(Block1.Declaration.Number) | OptionNumber.SeenBit(Block2.Declaration.Number)
        | OptionNumber.SeenBit(QBlock1.Declaration.Number) | OptionNumber.SeenBit(QBlock2.Declaration.Number);

    /// <summary>Whether the method changes nothing: GET and FETCH (RFC 7252, section 5.8; RFC 8132, section 2).</summary>
    public bool IsSafe => Method.IsSafe;

    /// <summary>Whether a stored response may answer it: the caller neither validates, observes nor moves blocks by itself.</summary>
    public bool MayUseStored => IsSafe && (Options.Seen & Own) == 0 && !Options.Contains<NoResponse>();

    /// <summary>Whether its response may be stored; one that the caller validates by itself may.</summary>
    public bool MayBeStored => IsSafe && (Options.Seen & Own & ~OptionNumber.SeenBit(ETag.Declaration.Number)) == 0 && !Options.Contains<NoResponse>();

    public CacheKey Resource => CacheKey.OfResource(Origin, Options);

    public CacheKey Key(CacheKey resource) => resource.WithRequest(Method, Options, Method == RequestCode.Fetch ? Payload.Span : default);
}
