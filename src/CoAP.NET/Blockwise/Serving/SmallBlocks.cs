using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Blockwise;

/// <summary>Marks a resource whose representation is sent to unverified addresses in small blocks instead of a 4.01 with Echo.</summary>
/// <remarks>
/// A client without Echo (RFC 9175) can then read the representation. The handler runs again for each block, and the ETag tells the client whether all
/// blocks belong together. The blocks are smaller than the allowance, and offer an Echo option to other clients.
/// </remarks>
internal sealed class SmallBlocks : ResourceFeature
{
    /// <summary>The bytes of the Echo option that a block offers, with its header.</summary>
    public const int EchoSize = 2 + EchoIssuer.Length;

    // Most responses are smaller than the least allowance, and need no further look.
    private const int AlwaysFits = 64;

    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    /// <summary>Returns whether a response to a safe request may be cut into blocks that any address may get.</summary>
    public static bool MayServe(IncomingRequest request, CoapResponse response)
    {
        if (response.Payload.Length <= AlwaysFits || !request.Method.IsSafe || request.IsReliable) { return false; }
        if ((request.Options.Seen & Block2Bit) == 0 && request.Resource?.Features.Find<SmallBlocks>() is null) { return false; }
        // A handler that works for a while must not run for each small block. An observer has to prove its address anyway.
        return request.Unanswered is null && !request.Options.Contains<Observe>() && request.Allowance != int.MaxValue && HasETag(request, response);
    }

    // Each block needs the tag of the whole, which is not computed again and again for an address that may be forged.
    private static bool HasETag(IncomingRequest request, CoapResponse response) =>
        response.Options.Contains<ETag>() || (RepresentationTags.Wants(response) && RepresentationTags.IsAtHand(request, response));
}
