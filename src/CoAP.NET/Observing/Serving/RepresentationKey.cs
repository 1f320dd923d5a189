using System.Runtime.CompilerServices;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>
/// Identifies the representation that a request gets: method, cache key (RFC 7252, section 5.6) and the payload of a FETCH (RFC 8132, section 2.2).
/// </summary>
/// <remarks>Leaves out Observe, which all the requests have, and Block2, which selects a part of the representation and not another one.</remarks>
/// <param name="Request">The method, the options and the payload.</param>
/// <param name="Owner">The identity of the peer, if each peer has its own representation.</param>
internal sealed record RepresentationKey(OptionKey Request, RepresentationOwner Owner) : ISeededKey
{
    private static readonly ulong LeftOut = OptionNumber.SeenBit(Observe.Declaration.Number) | OptionNumber.SeenBit(Block2.Declaration.Number);

    /// <param name="request">The request.</param>
    /// <param name="isPerPeer">Whether the peer has its own representation.</param>
    public static RepresentationKey Of(IncomingRequest request, bool isPerPeer) => new(
        new OptionKey([request.Method.Value], request.Options, IsKey, request.Payload.Span),
        isPerPeer ? new(request.Key, request.Connection, request.Credentials?.Key) : default);

    public override int GetHashCode() => SeededHash.Combine(Request.GetHashCode(), Owner.GetHashCode());

    private static bool IsKey(int number) => !OptionNumber.IsNoCacheKey(number) && !OptionNumber.IsIn(LeftOut, number);
}

/// <summary>The peer that a representation is for. Peers behind one address differ in their connection or their credentials.</summary>
internal readonly record struct RepresentationOwner(ChannelKey Key, object? Connection, object? Identity) : ISeededKey
{
    public override int GetHashCode() => SeededHash.Combine(Key.GetHashCode(), RuntimeHelpers.GetHashCode(Connection));
}
