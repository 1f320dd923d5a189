using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The options of the messages of a block-wise transfer (RFC 7959, sections 2.3, 2.7 and 4).</summary>
internal static class BlockOptions
{
    /// <summary>Returns the options of a message with a part of the request body.</summary>
    /// <param name="options">The options of the request.</param>
    /// <param name="block">The part, or <see langword="null"/> for the whole body.</param>
    /// <param name="length">The length of the body, if it is to be sent.</param>
    public static OptionSet ForUpload(in OptionSet options, Block1? block, long? length)
    {
        if (block is null) { return options; }
        // A later block must not have If-None-Match, because the first block would make it fail (RFC 7959, section 2.10).
        if (block.BlockNumber > 0) { return options.Without(IfNoneMatch.Declaration.Number).With(block); }
        return length is { } known and <= uint.MaxValue && !options.Contains<Size1>() ? options.With(block, new Size1((uint)known)) : options.With(block);
    }

    /// <summary>Returns the options of a message that requests a further part of the response body.</summary>
    public static OptionSet ForDownload(in OptionSet options, Block2 block) =>
        options.Without(IfNoneMatch.Declaration.Number).Without(Observe.Declaration.Number).With(block);

    /// <summary>Returns the options of a response that apply to the whole body.</summary>
    public static OptionSet OfWhole(in OptionSet options) =>
        options.Without(Block1.Declaration.Number).Without(Block2.Declaration.Number);
}
