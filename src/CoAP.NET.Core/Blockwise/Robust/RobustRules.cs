using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>What a request with Q-Block options has to be like (RFC 9177, sections 4.1 to 4.4).</summary>
internal static class RobustRules
{
    /// <summary>The bits of Q-Block1 and Q-Block2 in a set of seen options.</summary>
    public static readonly ulong Bits = OptionNumber.SeenBit(QBlock1.Declaration.Number) | OptionNumber.SeenBit(QBlock2.Declaration.Number);

    private static readonly ulong PlainBits = OptionNumber.SeenBit(Block1.Declaration.Number) | OptionNumber.SeenBit(Block2.Declaration.Number);

    public static bool IsMeant(in OptionSet options) => (options.Seen & Bits) != 0;

    /// <summary>The code that a request is refused with, or none where nothing is wrong with it.</summary>
    public static CoapCode? Refusal(in OptionSet options)
    {
        // RFC 9177, section 4.1: never both kinds in one message.
        if ((options.Seen & PlainBits) != 0) { return ResponseCode.BadOption; }
        if (options.Get<QBlock1>() is { } block && (BlockSize.Of(block).IsBert || !options.Contains<RequestTag>() || !options.Contains<Size1>()))
        {
            return ResponseCode.BadRequest;
        }
        return AreAscending(options.GetAll<QBlock2>()) ? null : ResponseCode.BadRequest;
    }

    /// <summary>Whether a 4.08 lists missing blocks, and so ends nothing (RFC 9177, section 5).</summary>
    public static bool IsMissingReport(CoapMessage response) =>
        response.Code == ResponseCode.RequestEntityIncomplete && response.Options.Get<ContentFormat>()?.Value == ContentFormats.MissingBlocks;

    /// <summary>The blocks that a request asks for, each once (RFC 9177, section 4.4).</summary>
    /// <param name="asked">In ascending order.</param>
    /// <param name="maxPayloads">MAX_PAYLOADS: the bit M means the rest of a set of so many, and no more blocks are answered.</param>
    /// <param name="count">How many blocks the body has.</param>
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

    /// <summary>The options that ask for these blocks; a run to the end of its set is asked for by the bit M (RFC 9177, section 10.2.4).</summary>
    /// <param name="numbers">In ascending order.</param>
    /// <param name="maxPayloads">MAX_PAYLOADS.</param>
    /// <param name="count">How many blocks the body has.</param>
    /// <param name="size">Their size.</param>
    public static QBlock2[] Condense(ReadOnlySpan<int> numbers, int maxPayloads, int count, BlockSize size)
    {
        var first = numbers[0];
        var end = Math.Min(first - (first % maxPayloads) + maxPayloads, count);
        // Block 0 with the bit M would be a request for the whole body.
        if (first != 0 && numbers.Length > 1 && numbers[^1] == end - 1 && numbers.Length == end - first)
        {
            return [new QBlock2(first, hasMore: true, size.Exponent)];
        }
        var options = new QBlock2[numbers.Length];
        for (var index = 0; index < options.Length; index++) { options[index] = new QBlock2(numbers[index], hasMore: false, size.Exponent); }
        return options;
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
