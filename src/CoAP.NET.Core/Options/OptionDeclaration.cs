using System.Text;
using System.Text.Unicode;

namespace CoAP.Options;

/// <summary>What an RFC says of an option: number, name, limits, repeatability and, for uints, the default. Declared once, on the option's type.</summary>
/// <remarks>Immutable and safe for concurrent use. Add a declaration of your own to an <see cref="OptionRegistry"/> to have messages understand it.</remarks>
public sealed class OptionDeclaration : IOptionFactory, IOptionSerializer
{
    private readonly Func<OptionDeclaration, ReadOnlySpan<byte>, CoapOption?> _create;

    private OptionDeclaration(
        int number, string name, int minLength, int maxLength, bool repeatable, Func<OptionDeclaration, ReadOnlySpan<byte>, CoapOption?> create)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(number, OptionNumber.Max);
        ArgumentOutOfRangeException.ThrowIfNegative(minLength);
        ArgumentOutOfRangeException.ThrowIfLessThan(maxLength, minLength);
        (Number, Name, MinLength, MaxLength, IsRepeatable, _create) = (number, name, minLength, maxLength, repeatable, create);
    }

    /// <inheritdoc/>
    public int Number { get; }

    /// <summary>The registered name, such as "Uri-Path".</summary>
    public string Name { get; }

    /// <summary>The shortest value in bytes.</summary>
    public int MinLength { get; }

    /// <summary>The longest value in bytes.</summary>
    public int MaxLength { get; }

    /// <summary>Whether a message may carry it more than once (RFC 7252, section 5.4.5).</summary>
    public bool IsRepeatable { get; }

    /// <summary>The signaling codes in whose number space the option lives; empty for the common space (RFC 8323, section 5.2).</summary>
    public IReadOnlyList<CoapCode> Spaces { get; private init; } = [];

    internal bool IsText { get; private init; }

    /// <summary>Declares an option with a uint value (RFC 7252, section 3.2).</summary>
    /// <param name="number">0 to 65,535.</param>
    /// <param name="name">The registered name.</param>
    /// <param name="maxLength">0 to 4 bytes.</param>
    /// <param name="create">Makes the option from its value.</param>
    /// <param name="minLength">0 to 4 bytes.</param>
    /// <param name="repeatable">Whether it may occur more than once.</param>
    /// <param name="spaces">The signaling codes it belongs to; none for the common space.</param>
    public static OptionDeclaration UInt(
        int number, string name, int maxLength, Func<uint, CoapOption> create, int minLength = 0, bool repeatable = false, params CoapCode[] spaces)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxLength, sizeof(uint));
        return new(number, name, minLength, maxLength, repeatable, (_, value) => create(UIntOption.Read(value))) { Spaces = spaces };
    }

    /// <summary>Declares an option with a text value in UTF-8 (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration String(
        int number, string name, int minLength, int maxLength, Func<string, CoapOption> create, bool repeatable = false, params CoapCode[] spaces) =>
        new(number, name, minLength, maxLength, repeatable, (_, value) => create(Encoding.UTF8.GetString(value))) { Spaces = spaces, IsText = true };

    /// <summary>Declares an option whose value is a sequence of bytes (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration Opaque(
        int number, string name, int minLength, int maxLength, Func<ReadOnlyMemory<byte>, CoapOption> create, bool repeatable = false, params CoapCode[] spaces) =>
        new(number, name, minLength, maxLength, repeatable, (_, value) => create(value.ToArray())) { Spaces = spaces };

    /// <summary>Declares an option without a value (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration Empty(int number, string name, Func<CoapOption> create, params CoapCode[] spaces) =>
        new(number, name, 0, 0, repeatable: false, (_, _) => create()) { Spaces = spaces };

    /// <summary>Whether the bytes are a value that this option may have: length and, for text, UTF-8.</summary>
    public bool IsValid(ReadOnlySpan<byte> value) =>
        value.Length >= MinLength && value.Length <= MaxLength && (!IsText || Utf8.IsValid(value));

    /// <inheritdoc/>
    public CoapOption? Create(ReadOnlySpan<byte> value) => IsValid(value) ? TryCreate(value) : null;

    /// <inheritdoc/>
    public int GetLength(CoapOption option) => option.ValueLength;

    /// <inheritdoc/>
    public void Write(CoapOption option, Span<byte> destination) => option.WriteValue(destination);

    /// <summary>The number and name, such as "11 (Uri-Path)".</summary>
    public override string ToString() => $"{Number} ({Name})";

    internal void ThrowUnlessLength(int length)
    {
        if (length < MinLength || length > MaxLength)
        {
            var limit = MinLength == MaxLength ? $"exactly {MaxLength}" : $"{MinLength} to {MaxLength}";
            throw new ArgumentOutOfRangeException(null, $"Option {this} is {length} bytes long; {limit} are allowed.");
        }
    }

    // A leaf may have bounds beyond its length (a block size exponent of 7, a hop limit of 0): the peer broke the rule, so no exception leaves.
    private CoapOption? TryCreate(ReadOnlySpan<byte> value)
    {
        try { return _create(this, value); }
        catch (ArgumentException) { return null; }
    }
}
