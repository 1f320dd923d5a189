using CoAP.Options;

namespace CoAP.Blockwise;

// The rules (RFC 7959, sections 2.3 and 2.4):
// - A block must start where the last one ended, in whatever size its number is counted. With M set, its length must be its size, or with BERT
//   a multiple of it (RFC 8323, section 6).
// - The next block is requested in the size of the last one or in the preferred size, whichever is smaller.
// - All blocks must have the ETag and the Content-Format of the first one.

/// <summary>The limits of a download.</summary>
/// <param name="Preferred">The largest size to request; BERT if both sides support it.</param>
/// <param name="MaxLength">The longest body in bytes.</param>
/// <param name="AllowsBert">Whether the transport is reliable, so that a message may contain several blocks.</param>
internal readonly record struct DownloadRules(BlockSize Preferred, long MaxLength, bool AllowsBert);

/// <summary>The client side of a response body in blocks, without the body itself (RFC 7959, section 2.4; RFC 8323, section 6).</summary>
/// <param name="rules">The limits.</param>
/// <param name="offset">The start of the download: zero, or a multiple of 16 bytes to resume one.</param>
/// <param name="etag">The expected representation, or <see langword="null"/> if the first response determines it.</param>
internal sealed class BlockDownload(DownloadRules rules, long offset = 0, ETag? etag = null)
{
    private readonly bool _isResumed = offset > 0;
    private ContentFormat? _contentFormat;
    private CoapCode _code;
    private bool _hasFirst;
    private bool _isOver;

    /// <summary>The start of the next block. Everything before it has arrived.</summary>
    public long Offset { get; private set; } = offset;

    /// <summary>The representation, if the server has identified it.</summary>
    public ETag? ETag { get; private set; } = etag;

    /// <summary>The length of the body in bytes, if the server has sent it (RFC 7959, section 4).</summary>
    public long? Length { get; private set; }

    /// <summary>Returns the option that requests the first block, in the preferred size or in a smaller one that fits the offset.</summary>
    public static Block2 FirstBlock(BlockSize preferred, long offset)
    {
        var size = preferred;
        while (offset % size.Bytes != 0) { size = new BlockSize(Math.Min(size.Exponent, BlockSize.Largest.Exponent) - 1); }
        return new Block2((int)(offset / size.Bytes), false, size.Exponent);
    }

    /// <summary>Processes the response to the last request.</summary>
    /// <exception cref="InvalidOperationException">The transfer has ended.</exception>
    public DownloadOutcome Receive(CoapMessage response)
    {
        if (_isOver) { throw new InvalidOperationException("The transfer has ended."); }
        if (!response.Code.IsSuccess) { return End(new DownloadOutcome.Rejected(response)); }
        var block = response.Options.Get<Block2>();
        if (block is null && (_hasFirst || _isResumed)) { return Broken($"The server answered a request for the block at {Offset} without Block2."); }
        if (WhyChanged(response) is { } change) { return End(new DownloadOutcome.Changed(change)); }
        if (block is not null && WhyWrong(block, response) is { } reason) { return Broken(reason); }
        return Take(block, response);
    }

    private DownloadOutcome Take(Block2? block, CoapMessage response)
    {
        if (!_hasFirst) { Remember(response); }
        if (response.Options.Get<Size2>() is { } total) { Length = total.Value; }
        Offset += response.Payload.Length;
        if (Math.Max(Offset, Length ?? 0) > rules.MaxLength)
        {
            var least = Math.Max(Offset, Length ?? 0);
            return Broken($"The body has {least} bytes or more; at most {rules.MaxLength} are accepted (ClientTransferSettings.MaxResponseBody).");
        }
        if (block is not { HasMore: true }) { return End(new DownloadOutcome.Completed(response.Payload)); }
        var size = BlockSize.Min(BlockSize.Of(block), rules.Preferred);
        var number = Offset / size.Bytes;
        return number <= BlockSize.MaxNumber
            ? new DownloadOutcome.AskNext(response.Payload, new Block2((int)number, false, size.Exponent))
            : Broken($"The body exceeds {size.MaxBody} bytes, the limit for blocks of {size.Bytes} bytes (RFC 7959, section 2.2).");
    }

    private void Remember(CoapMessage response)
    {
        _hasFirst = true;
        _code = response.Code;
        ETag ??= response.Options.Get<ETag>();
        _contentFormat = response.Options.Get<ContentFormat>();
    }

    private string? WhyChanged(CoapMessage response)
    {
        if (!_hasFirst && !_isResumed) { return null; }
        var found = response.Options.Get<ETag>();
        return found == ETag ? null : $"The representation has changed at byte {Offset}: the ETag was {Describe(ETag)} and is now {Describe(found)}.";
    }

    private static string Describe(ETag? etag) => etag is null ? "absent" : Convert.ToHexStringLower(etag.Value.Span);

    private string? WhyWrong(Block2 block, CoapMessage response)
    {
        var size = BlockSize.Of(block);
        var length = response.Payload.Length;
        if (size.IsBert && !rules.AllowsBert) { return $"Block2 {block.Notation} has a size that is reserved for reliable transports."; }
        if (size.OffsetOf(block.BlockNumber) != Offset) { return $"Block2 {block.Notation} arrived instead of the block at byte {Offset}."; }
        if (block.HasMore && (size.IsBert ? length == 0 || length % size.Bytes != 0 : length != size.Bytes))
        {
            return $"Block2 {block.Notation} has a payload of {length} bytes although more follow.";
        }
        if (block.HasMore && !response.Code.MayHavePayload) { return $"Block2 {block.Notation} announces more blocks, but a {response.Code} response has no body."; }
        if (!_hasFirst) { return null; }
        if (response.Code != _code) { return $"The block at byte {Offset} has the code {response.Code}, the first one had {_code}."; }
        return response.Options.Get<ContentFormat>() == _contentFormat ? null : $"The block at byte {Offset} has another Content-Format than the first one.";
    }

    private DownloadOutcome Broken(string reason) => End(new DownloadOutcome.Broken(reason));

    private DownloadOutcome End(DownloadOutcome outcome)
    {
        _isOver = true;
        return outcome;
    }
}
