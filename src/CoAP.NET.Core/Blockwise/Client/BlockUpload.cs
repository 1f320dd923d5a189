using CoAP.Options;

namespace CoAP.Blockwise;

// The rules (RFC 7959, sections 2.3, 2.5 and 2.9):
// - Blocks are sent in order, one at a time, starting with block 0. 2.31 requests the next block; so does a success with Block1 from a server
//   that processes each block on its own. A success after the last block ends the transfer.
// - A smaller SZX of the server applies from the next block on, which is numbered in the new size. A larger one is ignored.
// - 4.13 to the first block with a smaller SZX requests smaller blocks, once. If Size1 shows that the whole body is too large, it is an
//   error like any other.
// - 4.13 to a request without Block1 requests blocks. Some devices send the size of their buffer as Size1, so blocks of at most that size
//   are tried once, even if the body is larger. That does no harm: the first block has the size of the body, and a server that means the
//   body refuses it again.
// - Any other error ends the transfer. Later blocks would only be rejected as well, or be taken for a part of another body.

/// <summary>The client side of a request body in blocks, without the body itself (RFC 7959, section 2.5; RFC 8323, section 6).</summary>
/// <param name="size">The first size; BERT if the peer supports it.</param>
/// <param name="length">The length of the body in bytes, if it is known.</param>
/// <param name="bertLength">The most bytes of a message with BERT, a multiple of 1,024.</param>
internal sealed class BlockUpload(BlockSize size, long? length, int bertLength = 1024)
{
    private bool _isUnderWay;
    private bool _isLast;
    private bool _isOver;
    private int _sent;

    /// <summary>The size of the next block.</summary>
    public BlockSize Size { get; private set; } = size;

    /// <summary>The start of the next block. The server has accepted everything before it.</summary>
    public long Offset { get; private set; }

    /// <summary>The number of bytes in the next message, unless the body ends earlier.</summary>
    public int Capacity => Size.IsBert ? bertLength : Size.Bytes;

    /// <summary>Whether the next block has a number (RFC 7959, section 2.2).</summary>
    public bool HasNumber => Offset / Size.Bytes <= BlockSize.MaxNumber;

    /// <summary>Whether the transfer was restarted because the server requested smaller blocks.</summary>
    public bool IsRetry { get; private set; }

    /// <summary>Returns why a body cannot be sent in blocks of a size, or <see langword="null"/> if it can.</summary>
    public static string? WhyTooLarge(long length, BlockSize size) => length <= size.MaxBody
        ? null
        : $"The body has {length} bytes; blocks of {size.Bytes} bytes carry at most {size.MaxBody}, as block numbers have 20 bits (RFC 7959, section 2.2).";

    /// <summary>
    /// Returns the size of the blocks that a response to a request without Block1 asks for, or <see langword="null"/>
    /// (RFC 7959, section 2.9.3).
    /// </summary>
    /// <param name="response">The response.</param>
    /// <param name="largest">The largest blocks that can be sent.</param>
    public static BlockSize? FindWantedBlocks(CoapMessage response, BlockSize largest)
    {
        if (response.Code != ResponseCode.RequestEntityTooLarge) { return null; }
        var most = response.Options.Get<Size1>()?.Value ?? uint.MaxValue;
        if (most < BlockSize.Smallest.Bytes) { return null; }
        var size = BlockSize.Min(largest, BlockSize.AtMost((int)Math.Min(most, int.MaxValue)));
        return response.Options.Get<Block1>() is { } wish ? BlockSize.Min(size, BlockSize.Of(wish)) : size;
    }

    /// <summary>Counts the next message with bytes from <see cref="Offset"/> on, and returns its option.</summary>
    /// <exception cref="InvalidOperationException">The transfer has ended, or the response to the last message is outstanding.</exception>
    public Block1 Send(int count, bool isLast)
    {
        if (_isOver || _isUnderWay) { throw new InvalidOperationException("The transfer has ended, or the response to the last block is outstanding."); }
        (_isUnderWay, _isLast, _sent) = (true, isLast, count);
        return new Block1((int)(Offset / Size.Bytes), !isLast, Size.Exponent);
    }

    /// <summary>Processes the response to the last message.</summary>
    /// <exception cref="InvalidOperationException">No response is outstanding.</exception>
    public UploadOutcome Receive(CoapMessage response)
    {
        if (!_isUnderWay) { throw new InvalidOperationException("No response to a block is outstanding."); }
        _isUnderWay = false;
        var block = response.Options.Get<Block1>();
        if (!response.Code.IsSuccess)
        {
            return AsksForSmaller(response, block) ? Retry(BlockSize.Of(block!)) : End(new UploadOutcome.Rejected(response));
        }
        if (WhyWrong(response, block) is { } reason) { return End(new UploadOutcome.Broken(reason)); }
        return _isLast ? End(new UploadOutcome.Completed(response)) : Advance(BlockSize.Of(block!));
    }

    private static bool SaysTooLarge(CoapMessage response, long? length) =>
        response.Options.Get<Size1>() is { } most && length is { } known && most.Value < known;

    private bool AsksForSmaller(CoapMessage response, Block1? block) =>
        response.Code == ResponseCode.RequestEntityTooLarge && Offset == 0 && !IsRetry
        && block is not null && block.SizeExponent < Size.Exponent && !SaysTooLarge(response, length);

    private UploadOutcome Retry(BlockSize smaller)
    {
        IsRetry = true;
        Size = smaller;
        return length is { } known && WhyTooLarge(known, smaller) is { } reason
            ? End(new UploadOutcome.Broken(reason))
            : new UploadOutcome.SendNext();
    }

    private UploadOutcome Advance(BlockSize wanted)
    {
        Offset += _sent;
        Size = BlockSize.Min(Size, wanted);
        if (HasNumber && (length is not { } known || known <= Size.MaxBody)) { return new UploadOutcome.SendNext(); }
        return End(new UploadOutcome.Broken(
            WhyTooLarge(Math.Max(length ?? 0, Offset + 1), Size) ?? $"No block of {Size.Bytes} bytes starts at byte {Offset}."));
    }

    private string? WhyWrong(CoapMessage response, Block1? block)
    {
        if (_isLast && response.Code == ResponseCode.Continue) { return "The server answered 2.31 to the last block."; }
        if (block is null) { return _isLast ? null : $"The server answered {response.Code} without Block1 to a block that is not the last one."; }
        // The number may be counted in the size of the request or in that of the response.
        return OffsetIs(block, Size) || OffsetIs(block, BlockSize.Of(block))
            ? null
            : $"The server acknowledged block {block} instead of the block at byte {Offset}.";
    }

    private bool OffsetIs(Block1 block, BlockSize counted) => counted.OffsetOf(block.BlockNumber) == Offset;

    private UploadOutcome End(UploadOutcome outcome)
    {
        _isOver = true;
        return outcome;
    }
}
