using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>A block of the request body in robust transfers (RFC 9177, section 4.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record QBlock1(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Creates the option from its parts.</summary>
    public QBlock1(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(19, "Q-Block1", 3, value => new QBlock1(value));
}

/// <summary>A block of the response body in robust transfers. Repeated to request several blocks (RFC 9177, section 4.1).</summary>
/// <param name="Value">NUM, M and SZX in 0 to 3 bytes.</param>
public sealed record QBlock2(uint Value) : BlockOption(Declaration, Value), IDeclaredOption
{
    /// <summary>Creates the option from its parts.</summary>
    public QBlock2(int blockNumber, bool hasMore, int sizeExponent)
        : this(Pack(blockNumber, hasMore, sizeExponent))
    {
    }

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(31, "Q-Block2", 3, value => new QBlock2(value), repeatable: true);
}
