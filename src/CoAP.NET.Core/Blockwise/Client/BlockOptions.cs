using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The options of the messages that one request becomes (RFC 7959, sections 2.3, 2.7 and 4).</summary>
internal static class BlockOptions
{
    private static readonly int[] OfBlocks = [Block1.Declaration.Number, Block2.Declaration.Number];

    private static readonly int[] OfFirstOnly = [IfNoneMatch.Declaration.Number, Observe.Declaration.Number];

    /// <summary>The options of a message with a part of the body.</summary>
    /// <param name="options">Those of the request.</param>
    /// <param name="block">Which part; nothing where it is the whole body.</param>
    /// <param name="length">The length of the body, where it is to be said.</param>
    public static OptionSet ForUpload(in OptionSet options, Block1? block, long? length)
    {
        if (block is null) { return options; }
        // If-None-Match must not stand on a further block, which would fail because of the first one (RFC 7959, section 2.10).
        if (block.BlockNumber > 0) { return options.Without(IfNoneMatch.Declaration.Number).With(block); }
        return length is { } known and <= uint.MaxValue && !options.Contains<Size1>() ? options.With(block, new Size1((uint)known)) : options.With(block);
    }

    /// <summary>The options of a message that asks for a further part of the response's body.</summary>
    public static OptionSet ForDownload(in OptionSet options, Block2 block)
    {
        var left = options;
        foreach (var number in OfFirstOnly) { left = left.Without(number); }
        return left.With(block);
    }

    /// <summary>The options of a response as they hold for its whole body.</summary>
    public static OptionSet OfWhole(in OptionSet options)
    {
        var left = options;
        foreach (var number in OfBlocks) { left = left.Without(number); }
        return left;
    }
}
