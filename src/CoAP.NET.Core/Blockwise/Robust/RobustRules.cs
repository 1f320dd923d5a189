using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The rules for requests with Q-Block options (RFC 9177, sections 4.1 to 4.4).</summary>
internal static class RobustRules
{
    private static readonly ulong PlainBits = BlockOption.Bits & ~BlockOption.OtherBits;

    public static bool HasQBlock(in OptionSet options) => (options.Seen & BlockOption.OtherBits) != 0;

    /// <summary>Whether a message with Q-Block options also has Block options, which is not allowed (RFC 9177, section 4.1).</summary>
    public static bool IsMixed(in OptionSet options) => HasQBlock(options) && (options.Seen & PlainBits) != 0;

    /// <summary>Returns the code that rejects a request, or <see langword="null"/> if it is valid.</summary>
    public static CoapCode? Refusal(in OptionSet options)
    {
        // A message must not contain both options (RFC 9177, section 4.1).
        if (IsMixed(options)) { return ResponseCode.BadOption; }
        if (options.Get<QBlock1>() is { } block && (BlockSize.Of(block).IsBert || !options.Contains<RequestTag>() || !options.Contains<Size1>()))
        {
            return ResponseCode.BadRequest;
        }
        return AreAscending(options.GetAll<QBlock2>()) ? null : ResponseCode.BadRequest;
    }

    /// <summary>Returns whether a 4.08 lists missing blocks and thus does not end the transfer (RFC 9177, section 5).</summary>
    public static bool IsMissingReport(CoapMessage response) =>
        response.Code == ResponseCode.RequestEntityIncomplete && response.Options.Get<ContentFormat>()?.Value == ContentFormats.MissingBlocks;

    /// <summary>Returns the blocks that a request asks for, without duplicates (RFC 9177, section 4.4).</summary>
    /// <param name="asked">The options in ascending order.</param>
    /// <param name="maxPayloads">MAX_PAYLOADS: the bit M requests the rest of such a set, and no more blocks are sent.</param>
    /// <param name="count">The number of blocks of the body.</param>
    public static int[] Expand(IReadOnlyList<QBlock2> asked, int maxPayloads, int count)
    {
        var numbers = new List<int>(maxPayloads);
        foreach (var option in asked)
        {
            var first = option.BlockNumber;
            var end = option.HasMore ? first - (first % maxPayloads) + maxPayloads : first + 1;
            for (var number = Math.Max(first, numbers.Count == 0 ? 0 : numbers[^1] + 1); number < Math.Min(end, count) && numbers.Count < maxPayloads; number++)
            {
                numbers.Add(number);
            }
        }
        return [.. numbers];
    }

    /// <summary>Returns the options that request blocks. A run to the end of its set is requested with the bit M (RFC 9177, section 10.2.4).</summary>
    /// <param name="numbers">The block numbers in ascending order.</param>
    /// <param name="maxPayloads">MAX_PAYLOADS.</param>
    /// <param name="count">The number of blocks of the body.</param>
    /// <param name="size">The block size.</param>
    public static QBlock2[] Condense(int[] numbers, int maxPayloads, int count, BlockSize size)
    {
        var first = numbers[0];
        var end = Math.Min(first - (first % maxPayloads) + maxPayloads, count);
        // Block 0 with the bit M would request the whole body.
        if (first != 0 && numbers.Length > 1 && numbers[^1] == end - 1 && numbers.Length == end - first)
        {
            return [new QBlock2(first, hasMore: true, size.Exponent)];
        }
        return [.. numbers.Select(number => new QBlock2(number, hasMore: false, size.Exponent))];
    }

    private static bool AreAscending(IReadOnlyList<QBlock2> asked)
    {
        for (var index = 0; index < asked.Count; index++)
        {
            if (BlockSize.Of(asked[index]).IsBert) { return false; }
            if (index > 0 && (asked[index].BlockNumber <= asked[index - 1].BlockNumber || asked[index].SizeExponent != asked[0].SizeExponent)) { return false; }
        }
        return true;
    }
}
