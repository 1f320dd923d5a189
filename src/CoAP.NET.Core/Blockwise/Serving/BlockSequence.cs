using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The position of a block relative to the received part of a body.</summary>
internal enum BlockPlace
{
    /// <summary>It follows the received part.</summary>
    Next,

    /// <summary>It repeats the last block in a new message.</summary>
    Repeated,

    /// <summary>It has another position.</summary>
    OutOfOrder,
}

/// <summary>The order of the blocks of a request body, by bytes, because the block size may change during a transfer (RFC 7959, section 2.3).</summary>
internal sealed class BlockSequence
{
    private ReadOnlyMemory<byte> _last;

    /// <summary>The number of bytes received so far.</summary>
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

    /// <summary>Returns a 4.00 if the block itself is not valid (RFC 7959, sections 2.2 and 2.3; RFC 8323, section 6).</summary>
    public static ReceiveOutcome.Rejected? FindFault(Block1 block, int length, bool isReliable)
    {
        var size = BlockSize.Of(block);
        if (size.IsBert && !isReliable) { return Bad("Block1 has the reserved size 7 (RFC 7959, section 2.2)."); }
        var fits = size.IsBert
            ? !block.HasMore || (length > 0 && length % size.Bytes == 0)
            : length == size.Bytes || (!block.HasMore && length < size.Bytes);
        return fits ? null : Bad($"Block {block.BlockNumber} has {length} bytes; its Block1 allows {(block.HasMore ? "exactly " : "at most ")}{size}.");
    }

    /// <summary>Returns a 4.08 for a block that does not follow the received part (RFC 7959, section 2.9.2).</summary>
    public static ReceiveOutcome.Rejected Incomplete(Block1 block, long received) => new(
        ResponseCode.RequestEntityIncomplete,
        $"Block {block.BlockNumber} starts at byte {BlockSize.Of(block).OffsetOf(block.BlockNumber)}; {received} bytes have arrived. Restart with block 0.");

    private static ReceiveOutcome.Rejected Bad(string diagnostic) => new(ResponseCode.BadRequest, diagnostic);
}
