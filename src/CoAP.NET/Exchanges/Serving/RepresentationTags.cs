using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Exchanges;

// Who hashes a representation whose handler sets no ETag:
// - A small one is hashed on the lane, when a stage needs its tag.
// - A large one is hashed on the thread that its handler has answered on, or on a handler thread, before the answer reaches the stages. The account of
//   the peer is charged for the thread. The response keeps the tag, so one that is sent often is hashed once.
// - A large one is not hashed for an address that may be forged. A safe request gets a challenge instead of a block.
// - A large one with which a user's block has replaced another gets a random tag when it is cut, and is not validated.

/// <summary>The entity tags that the library gives to representations without one (RFC 7959, section 2.4).</summary>
internal static class RepresentationTags
{
    /// <summary>The largest representation that is hashed on a lane, in bytes. That takes about as long as it takes to receive a few datagrams.</summary>
    public const int MostOnLane = 16 << 10;

    /// <summary>The largest representation that is hashed for an address that may be forged, in bytes.</summary>
    public const int MostUnverified = 4 << 10;

    private static readonly ulong ETagBit = OptionNumber.SeenBit(ETag.Declaration.Number);

    /// <summary>Returns <see langword="true"/> if a response needs a generated ETag.</summary>
    /// <remarks>
    /// The ETag shows the client that the representation has changed between two blocks, or that blocks belong to different responses
    /// (RFC 7959, section 2.4). In a response with a location, the ETag would refer to the created resource (RFC 7252, section 5.10.6).
    /// </remarks>
    public static bool Wants(CoapResponse response) =>
        response.IsSuccess && !response.Options.Contains<ETag>()
        && !response.Options.Contains<LocationPath>() && !response.Options.Contains<LocationQuery>();

    /// <summary>Returns <see langword="true"/> if the stages will need the tag of a response, and must not compute it themselves.</summary>
    /// <param name="request">The request.</param>
    /// <param name="account">The account of the request, which only its lane can look up.</param>
    /// <param name="response">The response.</param>
    public static bool MustPrepare(IncomingRequest request, in Account account, CoapResponse response) =>
        response.Payload.Length > MostOnLane && response.ComputedTag is null && !account.IsUnverified && Wants(response)
        && (MayValidate(request) || MayCut(request, response));

    /// <summary>Computes the tag if the stages will need it, unless the caller is a lane.</summary>
    public static void Prepare(IncomingRequest request, in Account account, CoapResponse response)
    {
        if (MustPrepare(request, account, response) && !request.Lane.IsOwnedByCaller) { response.ComputeTag(); }
    }

    /// <summary>Returns <see langword="true"/> if the tag of a response is known, or so cheap that a lane may compute it for this request.</summary>
    public static bool IsAtHand(IncomingRequest request, CoapResponse response) =>
        response.ComputedTag is not null || response.Payload.Length <= (request.Account.IsUnverified ? MostUnverified : MostOnLane);

    /// <summary>Returns the tag of a response that is cut into blocks. It is random if the tag is not at hand.</summary>
    public static ETag Of(IncomingRequest request, CoapResponse response) =>
        IsAtHand(request, response) ? response.ComputeTag() : NewTag(request.Lane.Random);

    /// <summary>Returns a random tag, for a representation that counts as different from all others.</summary>
    public static ETag NewTag(Random random)
    {
        var tag = new byte[sizeof(ulong)];
        random.NextBytes(tag);
        return new ETag(tag);
    }

    /// <summary>Whether the client has representations, and asks whether one of them is current.</summary>
    public static bool MayValidate(IncomingRequest request) => (request.Options.Seen & ETagBit) != 0 && request.Method.IsSafe;

    private static bool MayCut(IncomingRequest request, CoapResponse response)
    {
        // Such blocks are refused.
        if (request.Options.Get<Block2>() is { } block && response.Payload.Length > BlockSize.Of(block).MaxBody) { return false; }
        return !request.IsReliable || (request.Options.Seen & BlockOption.Bits) != 0 || request.SizeOf(response) > request.ResponseLimits.MaxSize;
    }
}
