using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The position of a block in a response body.</summary>
/// <param name="Offset">The offset of its first byte.</param>
/// <param name="Length">The number of its bytes.</param>
/// <param name="Block">The option of the message.</param>
internal readonly record struct BodySlice(long Offset, int Length, Block2 Block)
{
    /// <summary>Returns the block size that both sides support: the one that the client requests or a smaller one (RFC 7959, section 2.4). BERT only
    /// if both sides support it (RFC 8323, section 6).</summary>
    public static BlockSize Agree(Block2? wish, BlockSize most) => wish is null ? most : BlockSize.Min(BlockSize.Of(wish), most);

    /// <summary>Returns the slice of a block, or <see langword="null"/> if it would start after the end of the body.</summary>
    /// <param name="total">The length of the body in bytes.</param>
    /// <param name="wish">The block that the client requests, or <see langword="null"/> for the first one.</param>
    /// <param name="size">The block size of the response.</param>
    /// <param name="bytes">The most bytes of a payload with BERT.</param>
    /// <remarks>The client requests a position in its own size. If our size is smaller, the position stays the same and the number grows.</remarks>
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
