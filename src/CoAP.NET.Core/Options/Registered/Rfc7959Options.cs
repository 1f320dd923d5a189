using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The block options of RFC 7959 and RFC 9177.</summary>
internal static class Rfc7959Options
{
    public static OptionDeclaration[] All => [Block1.Declaration, Block2.Declaration, Size2.Declaration, QBlock1.Declaration, QBlock2.Declaration];
}

/// <summary>Which block of a body a message carries or asks for (RFC 7959, section 2.2). Its text is NUM/M/size, as there in section 3.</summary>
public abstract record BlockOption : UIntOption
{
    /// <summary>The largest number that a block can have (RFC 7959, section 2.2).</summary>
    internal const int MaxNumber = (1 << 20) - 1;

    private protected BlockOption(OptionDeclaration declaration, uint value)
        : base(declaration, value)
    {
    }

    /// <summary>The block's number, 0 to 1,048,575 (NUM).</summary>
    public int BlockNumber => (int)(Value >> 4);

    /// <summary>Whether more blocks follow (M).</summary>
    public bool HasMore => (Value & 8) != 0;

    /// <summary>The exponent of the block size, 0 to 7; the size is 2 to the power of it plus 4, 7 is BERT or reserved (SZX; RFC 8323, section 6).</summary>
    public int SizeExponent => (int)(Value & 7);

    private protected override string Text => $"{BlockNumber}/{(HasMore ? 1 : 0)}/{1 << (SizeExponent + 4)}";

    /// <summary>Packs the three parts into a value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A part is out of its range.</exception>
    private protected static uint Pack(int blockNumber, bool hasMore, int sizeExponent)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)blockNumber, (uint)MaxNumber, nameof(blockNumber));
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)sizeExponent, 7U, nameof(sizeExponent));
        return ((uint)blockNumber << 4) | (hasMore ? 8U : 0) | (uint)sizeExponent;
    }
}

/// <summary>The block of the request's body (RFC 7959, section 2.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record Block1(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Makes the option of its parts.</summary>
    public Block1(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(27, "Block1", 3, value => new Block1(value));
}

/// <summary>The block of the response's body (RFC 7959, section 2.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record Block2(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Makes the option of its parts.</summary>
    public Block2(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(23, "Block2", 3, value => new Block2(value));
}

/// <summary>The size of the response's body, or a request for it when 0 (RFC 7959, section 4).</summary>
/// <param name="Value">Bytes.</param>
public sealed record Size2(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(28, "Size2", 4, value => new Size2(value));
}

/// <summary>The block of the request's body in robust transfers (RFC 9177, section 4.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record QBlock1(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Makes the option of its parts.</summary>
    public QBlock1(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(19, "Q-Block1", 3, value => new QBlock1(value));
}

/// <summary>A block of the response's body in robust transfers; repeated to ask for several (RFC 9177, section 4.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record QBlock2(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Makes the option of its parts.</summary>
    public QBlock2(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(31, "Q-Block2", 3, value => new QBlock2(value), repeatable: true);
}
