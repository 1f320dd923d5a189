using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Describes whether a request fits into one message, and the size of its blocks if it does not.</summary>
/// <param name="IsPlain">Whether the caller handles the blocks: the call is one exchange, whatever the response.</param>
/// <param name="FitsWhole">Whether the body is in memory and fits into one message.</param>
/// <param name="Size">The size of the first block, if the body does not fit.</param>
/// <param name="BertLength">The bytes of a message with BERT.</param>
/// <param name="Rules">The block size and limits of the response's body.</param>
internal readonly record struct TransferPlan(bool IsPlain, bool FitsWhole, BlockSize Size, int BertLength, DownloadRules Rules)
{
    // The options that a block may add: Block1, Block2, Size1 and Request-Tag.
    private const int BlockOverhead = 5 + 5 + 7 + 11;

    /// <summary>Returns the plan of a request.</summary>
    /// <exception cref="ArgumentException">The options do not fit into a message, or the body needs more blocks than block numbers allow.</exception>
    public static TransferPlan Of(CoapRequest request, in OptionSet options, in MessageLimits limits, ClientTransferSettings settings)
    {
        var isPlain = (options.Seen & BlockOption.Bits) != 0;
        var whole = MessageLimits.SizeOf(options, request.Payload.Length, limits.IsReliable);
        var preferred = request.PreferredBlockSize ?? (limits.IsReliable ? int.MaxValue : settings.BlockSize);
        var fits = request.Body is null && whole <= limits.MaxSize && (isPlain || request.Payload.Length <= preferred);
        if (isPlain && !fits) { throw TooLarge(whole, limits.MaxSize); }
        var rules = RulesOf(request, limits, settings);
        if (fits)
        {
            return new TransferPlan(isPlain, FitsWhole: true, BlockSize.AtMost(Math.Min(preferred, settings.BlockSize)), BlockSize.Largest.Bytes, rules);
        }
        var room = limits.MaxSize - (int)MessageLimits.SizeOf(options, BlockOverhead, limits.IsReliable);
        if (room < BlockSize.Smallest.Bytes) { throw TooLarge(whole, limits.MaxSize); }
        // One half of the read-ahead is being sent while the other half is being read.
        var bertLength = Math.Min(room, settings.ReadAhead / 2) / BlockSize.Bert.Bytes * BlockSize.Bert.Bytes;
        var isBert = limits.SupportsBert && request.PreferredBlockSize is null && bertLength > 0;
        var size = isBert ? BlockSize.Bert : BlockSize.AtMost(Math.Min(preferred, room));
        if (BlockUpload.WhyTooLarge(request.Body?.Length ?? request.Payload.Length, size) is { } reason)
        {
            throw new ArgumentException(reason, nameof(request));
        }
        return new TransferPlan(IsPlain: false, FitsWhole: false, size, Math.Max(bertLength, BlockSize.Bert.Bytes), rules);
    }

    private static DownloadRules RulesOf(CoapRequest request, in MessageLimits limits, ClientTransferSettings settings)
    {
        var most = request.ResponseBody is null ? settings.MaxResponseBody : long.MaxValue;
        var size = request.PreferredBlockSize is { } wish ? BlockSize.AtMost(wish)
            : limits.IsReliable ? BlockSize.Bert : BlockSize.AtMost(settings.BlockSize);
        return new DownloadRules(size, most, limits.IsReliable);
    }

    private static ArgumentException TooLarge(long size, int limit) => new(
        $"The request has {size} bytes and cannot be sent, not even in blocks; a message has at most {limit} bytes "
        + "(MaxSendSize, or the peer's Max-Message-Size, RFC 8323, section 5.3.1).",
        (string?)null);
}
