using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The block of a body that a message carries or requests (RFC 7959, section 2.2). Its string form is NUM/M/size (section 3).</summary>
public abstract record BlockOption : UIntOption
{
    /// <summary>The largest block number (RFC 7959, section 2.2).</summary>
    internal const int MaxNumber = (1 << 20) - 1;

    /// <summary>The bits of the block options of other specifications (RFC 9177) in a set of seen options.</summary>
    internal static readonly ulong OtherBits =
        OptionNumber.SeenBit(QBlock1.Declaration.Number) | OptionNumber.SeenBit(QBlock2.Declaration.Number);

    /// <summary>The bits of all block options in a set of seen options.</summary>
    internal static readonly ulong Bits =
        OtherBits | OptionNumber.SeenBit(Block1.Declaration.Number) | OptionNumber.SeenBit(Block2.Declaration.Number);

    private protected BlockOption(OptionDeclaration declaration, uint value)
        : base(declaration, value)
    {
    }

    /// <summary>The number of the block, 0 to 1,048,575 (NUM).</summary>
    public int BlockNumber => (int)(Value >> 4);

    /// <summary>Whether more blocks follow (M).</summary>
    public bool HasMore => (Value & 8) != 0;

    /// <summary>The exponent of the block size, 0 to 7 (SZX). The size is 2 to the power of SZX + 4; 7 means BERT (RFC 8323, section 6).</summary>
    public int SizeExponent => (int)(Value & 7);

    /// <summary>Returns whether a request is for a block after the first one, in either direction.</summary>
    internal static bool IsLater(in OptionSet request) =>
        (request.Seen & Bits) != 0
        && (IsLater<Block1>(request) || IsLater<Block2>(request) || IsLater<QBlock1>(request) || AsksForMissing(request));

    /// <summary>The Q-Block2 options that a message may have. Clients ask for MAX_PAYLOADS at a time (RFC 9177, section 4.4).</summary>
    internal const int MaxRepeated = 256;

    /// <summary>Returns how often a repeatable option may occur.</summary>
    internal static int MostOf(int number) => number == QBlock2.Declaration.Number ? MaxRepeated : int.MaxValue;

    /// <summary>Whether a request is for missing blocks of a body, and not for the body or its first block (RFC 9177, section 4.4).</summary>
    internal static bool AsksForMissing(in OptionSet request) =>
        (request.Seen & OtherBits) != 0 && request.GetAll<QBlock2>() is not ([] or [{ BlockNumber: 0 }]);

    private static bool IsLater<T>(in OptionSet request)
        where T : BlockOption, IDeclaredOption => request.Get<T>() is { BlockNumber: > 0 };

    /// <summary>The notation NUM/M/size (RFC 7959, section 3).</summary>
    internal string Notation => $"{BlockNumber}/{(HasMore ? 1 : 0)}/{1 << (SizeExponent + 4)}";

    /// <inheritdoc/>
    protected override string ValueText => Notation;

    /// <summary>Combines the three parts into a value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A part is out of range.</exception>
    private protected static uint Pack(int blockNumber, bool hasMore, int sizeExponent)
    {
        if (blockNumber is < 0 or > MaxNumber)
        {
            throw new ArgumentOutOfRangeException(nameof(blockNumber), $"The block number is {blockNumber}; 0 to {MaxNumber} are allowed (RFC 7959, section 2.2).");
        }
        if (sizeExponent is < 0 or > 7)
        {
            throw new ArgumentOutOfRangeException(
                nameof(sizeExponent), $"The size exponent is {sizeExponent}; 0 (16 bytes) to 6 (1,024 bytes) are allowed, and 7 (BERT) over connections.");
        }
        return ((uint)blockNumber << 4) | (hasMore ? 8U : 0) | (uint)sizeExponent;
    }
}

/// <summary>A block of the request body (RFC 7959, section 2.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record Block1(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Creates the option from its parts.</summary>
    public Block1(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(27, "Block1", 3, value => new Block1(value));
}

/// <summary>A block of the response body (RFC 7959, section 2.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record Block2(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Creates the option from its parts.</summary>
    public Block2(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(23, "Block2", 3, value => new Block2(value));
}

/// <summary>The size of the response body, or 0 to ask for it (RFC 7959, section 4).</summary>
/// <param name="Value">The size in bytes.</param>
public sealed record Size2(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(28, "Size2", 4, value => new Size2(value));
}
