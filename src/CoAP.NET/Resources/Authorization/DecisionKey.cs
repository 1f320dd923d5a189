using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Resources;

/// <summary>A block-wise transfer of a peer, which one decision covers. Only its later blocks use the decision.</summary>
/// <remarks>
/// All options are compared, except those that differ from block to block. Size1 and Size2 describe the body, and some blocks may lack them. Only
/// the first block may have If-None-Match (RFC 7959, section 2.10). The authorizers see each first block, and each later block with If-None-Match.
/// </remarks>
internal readonly record struct DecisionKey(BodyPeer Peer, object? Identity, OptionKey Operation) : ISeededKey
{
    // A longer key would cost more than the question.
    private const int LongestOperation = 512;

    private static readonly ulong LeftOut = BlockOption.Bits
        | OptionNumber.SeenBit(Observe.Declaration.Number) | OptionNumber.SeenBit(IfNoneMatch.Declaration.Number)
        | OptionNumber.SeenBit(Size1.Declaration.Number) | OptionNumber.SeenBit(Size2.Declaration.Number);

    /// <summary>Returns the transfer that a request is a part of; <see langword="null"/> if the request has no block option, or the key would be long.</summary>
    /// <param name="request">The request.</param>
    /// <param name="isLater">Whether the request is a later block of the transfer.</param>
    public static DecisionKey? Of(IncomingRequest request, out bool isLater)
    {
        isLater = false;
        if ((request.Options.Seen & BlockOption.Bits) == 0) { return null; }
        isLater = BlockOption.IsLater(request.Options) && !request.Options.Contains<IfNoneMatch>();
        var operation = new OptionKey([request.Method.Value], request.Options, IsKey);
        if (operation.Length > LongestOperation) { return null; }
        return new(new BodyPeer(request.Key, request.Connection), request.Credentials?.Key, operation);
    }

    public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Operation.GetHashCode());

    private static bool IsKey(int number) => !OptionNumber.IsIn(LeftOut, number) && number != Echo.Declaration.Number;
}
