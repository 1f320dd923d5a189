using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Where a block stands in a body that is received from its beginning to its end.</summary>
internal enum BlockPlace
{
    /// <summary>Right behind what is there.</summary>
    Next,

    /// <summary>The last block once more, in a message of its own.</summary>
    Repeated,

    /// <summary>Anywhere else.</summary>
    OutOfOrder,
}

/// <summary>The order of the blocks of a request's body. Places are counted in bytes, so the size of blocks may change on the way (RFC 7959, section 2.3).</summary>
internal sealed class BlockSequence
{
    private ReadOnlyMemory<byte> _last;

    /// <summary>The bytes received so far.</summary>
    public long Received { get; private set; }

    public BlockPlace Find(Block1 block, ReadOnlyMemory<byte> payload)
    {
        var offset = BlockSize.Of(block).OffsetOf(block.BlockNumber);
        if (offset == Received) { return BlockPlace.Next; }
        var isRepeated = offset + _last.Length == Received && payload.Span.SequenceEqual(_last.Span);
        return isRepeated ? BlockPlace.Repeated : BlockPlace.OutOfOrder;
    }

    public void Take(ReadOnlyMemory<byte> payload)
    {
        Received += payload.Length;
        _last = payload;
    }

    /// <summary>What is wrong with a block itself, wherever it stands: a 4.00 (RFC 7959, sections 2.2 and 2.3; RFC 8323, section 6).</summary>
    public static ReceiveOutcome.Rejected? FindFault(Block1 block, int length, bool isReliable)
    {
        var size = BlockSize.Of(block);
        if (size.IsBert && !isReliable) { return Bad("Block1 has the reserved size 7 (RFC 7959, section 2.2)."); }
        var fits = size.IsBert
            ? !block.HasMore || (length > 0 && length % size.Bytes == 0)
            : length == size.Bytes || (!block.HasMore && length < size.Bytes);
        return fits ? null : Bad($"Block {block.BlockNumber} has {length} bytes; its Block1 says {(block.HasMore ? "" : "at most ")}{size}.");
    }

    /// <summary>The 4.08 for a block that does not follow what is there (RFC 7959, section 2.9.2).</summary>
    public static ReceiveOutcome.Rejected Incomplete(Block1 block, long received) => new(
        ResponseCode.RequestEntityIncomplete,
        $"Block {block.BlockNumber} begins at byte {BlockSize.Of(block).OffsetOf(block.BlockNumber)}; {received} bytes are here. Start again with block 0.");

    private static ReceiveOutcome.Rejected Bad(string diagnostic) => new(ResponseCode.BadRequest, diagnostic);
}
