using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Where one block stands in a response's body.</summary>
/// <param name="Offset">Its first byte.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Block">What says so in the message.</param>
internal readonly record struct BodySlice(long Offset, int Length, Block2 Block)
{
    /// <summary>
    /// The size that both sides can do: the client's wish or a smaller one (RFC 7959, section 2.4). Blocks with BERT only where both can (RFC 8323,
    /// section 6).
    /// </summary>
    public static BlockSize Agree(Block2? wish, BlockSize most) => wish is null ? most : BlockSize.Min(BlockSize.Of(wish), most);

    /// <summary>Cuts a block out; nothing where it would begin behind the end.</summary>
    /// <param name="total">The bytes of the body.</param>
    /// <param name="wish">What the client asks for; nothing is the first block.</param>
    /// <param name="size">The size of the answer.</param>
    /// <param name="bytes">The most bytes of a message's payload, where the size is BERT.</param>
    /// <remarks>
    /// The wish names its place in its own size; where ours is smaller, the place stays the same and the number grows.
    /// </remarks>
    public static BodySlice? Cut(long total, Block2? wish, BlockSize size, int bytes)
    {
        var offset = wish is null ? 0 : BlockSize.Of(wish).OffsetOf(wish.BlockNumber);
        if (offset > 0 && offset >= total) { return null; }
        var most = size.IsBert ? bytes : size.Bytes;
        var length = (int)Math.Min(most, total - offset);
        var number = offset / size.Bytes;
        return number > BlockSize.MaxNumber ? null : new(offset, length, new Block2((int)number, offset + length < total, size.Exponent));
    }
}
