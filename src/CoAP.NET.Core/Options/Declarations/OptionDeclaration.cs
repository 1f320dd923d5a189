using System.Text;
using System.Text.Unicode;

namespace CoAP.Options;

/// <summary>The definition of an option: number, name, limits and repeatability. Each option type has one.</summary>
/// <remarks>Immutable and safe for concurrent use. Add declarations of your own options to an <see cref="OptionRegistry"/>.</remarks>
public sealed class OptionDeclaration : IOptionFactory
{
    private const int SmallNumbers = 64;

    // Exactly one of these is set. It determines the format of the value.
    private readonly Func<uint, CoapOption>? _uint;
    private readonly Func<string, CoapOption>? _text;
    private readonly Func<ReadOnlyMemory<byte>, CoapOption>? _opaque;
    private readonly Func<CoapOption>? _empty;
    private readonly IOptionFactory? _factory;
    private readonly CoapCode[] _spaces;
    private readonly OptionValueRule? _isAllowed;

    // Options with small numbers, created once for all threads. Two threads may create the same one; either of them stays, and both are equal.
    private readonly CoapOption?[]? _small;
    private readonly bool _isShared;

    private OptionDeclaration(int number, string name, int minLength, int maxLength, bool repeatable, object create, CoapCode[] spaces)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(number, OptionNumber.Max);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentOutOfRangeException.ThrowIfNegative(minLength);
        ArgumentOutOfRangeException.ThrowIfLessThan(maxLength, minLength);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxLength, OptionFormat.MaxValueLength);
        ArgumentNullException.ThrowIfNull(create);
        ArgumentNullException.ThrowIfNull(spaces);
        (Number, Name, MinLength, MaxLength, IsRepeatable, _spaces) = (number, name, minLength, maxLength, repeatable, [.. spaces]);
        _uint = create as Func<uint, CoapOption>;
        _text = create as Func<string, CoapOption>;
        _opaque = create as Func<ReadOnlyMemory<byte>, CoapOption>;
        _empty = create as Func<CoapOption>;
        _factory = create as IOptionFactory;
        SpaceBits = ToBits(spaces);
    }

    private OptionDeclaration(OptionDeclaration other, ulong spaceBits, OptionValueRule? isAllowed, bool isShared)
    {
        (Number, Name, MinLength, MaxLength, IsRepeatable) = (other.Number, other.Name, other.MinLength, other.MaxLength, other.IsRepeatable);
        (_uint, _text, _opaque, _empty, _factory, _spaces) = (other._uint, other._text, other._opaque, other._empty, other._factory, other._spaces);
        (SpaceBits, _isAllowed, _isShared) = (spaceBits, isAllowed, isShared);
        _small = isShared && _uint is not null && MinLength == 0 ? new CoapOption?[SmallNumbers] : null;
    }

    /// <inheritdoc/>
    public int Number { get; }

    /// <summary>The registered name, such as "Uri-Path".</summary>
    public string Name { get; }

    /// <summary>The shortest value in bytes.</summary>
    public int MinLength { get; }

    /// <summary>The longest value in bytes.</summary>
    public int MaxLength { get; }

    /// <summary>Whether a message may carry the option more than once (RFC 7252, section 5.4.5).</summary>
    public bool IsRepeatable { get; }

    /// <summary>The signaling codes whose number space the option belongs to; empty for the common space (RFC 8323, section 5.2).</summary>
    public IReadOnlyList<CoapCode> Spaces => _spaces;

    /// <summary>A bit for each number space, see <see cref="OptionSpace.Bit"/>.</summary>
    internal ulong SpaceBits { get; }

    /// <summary>Declares an option with a uint value (RFC 7252, section 3.2).</summary>
    /// <param name="number">0 to 65,535.</param>
    /// <param name="name">The registered name.</param>
    /// <param name="maxLength">0 to 4 bytes.</param>
    /// <param name="create">Creates the option from its value.</param>
    /// <param name="minLength">0 to 4 bytes.</param>
    /// <param name="repeatable">Whether a message may carry the option more than once.</param>
    /// <param name="spaces">The signaling codes that the option belongs to; none for the common space.</param>
    public static OptionDeclaration UInt(
        int number, string name, int maxLength, Func<uint, CoapOption> create, int minLength = 0, bool repeatable = false, params CoapCode[] spaces)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxLength, sizeof(uint));
        return new(number, name, minLength, maxLength, repeatable, create, spaces);
    }

    /// <summary>Declares an option with a text value in UTF-8 (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration String(
        int number, string name, int minLength, int maxLength, Func<string, CoapOption> create, bool repeatable = false, params CoapCode[] spaces) =>
        new(number, name, minLength, maxLength, repeatable, create, spaces);

    /// <summary>Declares an option with an opaque value (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration Opaque(
        int number, string name, int minLength, int maxLength, Func<ReadOnlyMemory<byte>, CoapOption> create, bool repeatable = false,
        params CoapCode[] spaces) =>
        new(number, name, minLength, maxLength, repeatable, create, spaces);

    /// <summary>Declares an option without a value (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration Empty(int number, string name, Func<CoapOption> create, params CoapCode[] spaces) =>
        new(number, name, 0, 0, repeatable: false, create, spaces);

    /// <summary>Declares an option that a factory creates. The factory alone decides which values are valid.</summary>
    /// <remarks>The declaration has the name of the factory's type. A factory that is itself a declaration is returned unchanged.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The number is not an option number.</exception>
    /// <exception cref="ArgumentException">A space is not a signaling code.</exception>
    public static OptionDeclaration Of(IOptionFactory factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return factory as OptionDeclaration ?? new(
            factory.Number, factory.GetType().Name, 0, OptionFormat.MaxValueLength, factory.IsRepeatable, factory, [.. factory.Spaces]);
    }

    /// <summary>Returns the declaration with a rule for received values, in addition to length and UTF-8. A value must satisfy all rules.</summary>
    /// <remarks>
    /// A received value that breaks the rule is treated like a value of the wrong length (RFC 7252, section 5.4.3). Values to be sent are checked
    /// by the constructor of the option type.
    /// </remarks>
    public OptionDeclaration OnlyIf(OptionValueRule rule)
    {
        ArgumentNullException.ThrowIfNull(rule);
        return new(this, SpaceBits, _isAllowed is { } first ? value => first(value) && rule(value) : rule, _isShared);
    }

    /// <summary>Returns the declaration for requests, responses and all signaling messages, as OSCORE needs it (RFC 8613, section 13.3).</summary>
    public OptionDeclaration InEverySpace() => new(this, ulong.MaxValue, _isAllowed, _isShared);

    /// <summary>Returns <see langword="true"/> if the value is valid: its length, its UTF-8 if it is text, and the rules of <see cref="OnlyIf"/>.</summary>
    public bool IsValid(ReadOnlySpan<byte> value) =>
        value.Length >= MinLength && value.Length <= MaxLength
        && (_text is null || Utf8.IsValid(value)) && (_isAllowed is null || _isAllowed(value)) && (_factory is null || Make(value) is not null);

    /// <inheritdoc/>
    public CoapOption? Create(ReadOnlySpan<byte> value)
    {
        if (_small is { } small)
        {
            if (value.Length <= 1 && (value.IsEmpty ? 0 : value[0]) is var number && number < small.Length) { return small[number] ??= Make(value); }
        }
        else if (_isShared && value.Length <= OptionCache.MaxLength) { return OptionCache.GetOrMake(this, value); }
        return Make(value);
    }

    /// <summary>Creates the option without looking for an existing one.</summary>
    internal CoapOption? Make(ReadOnlySpan<byte> value)
    {
        if (value.Length < MinLength || value.Length > MaxLength || (_isAllowed is not null && !_isAllowed(value))) { return null; }
        // The constructor of a user's option may have its own limits. The peer broke them, so the exception ends here.
        try
        {
            if (_uint is not null) { return _uint(UIntOption.Read(value)); }
            if (_opaque is not null) { return _opaque(value.ToArray()); }
            if (_empty is not null) { return _empty(); }
            if (_factory is not null) { return _factory.Create(value); }
            return ReadText(value) is { } text ? _text!(text) : null;
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Returns the number and the name, such as "11 (Uri-Path)".</summary>
    public override string ToString() => $"{Number} ({Name})";

    internal void ThrowUnlessLength(int length)
    {
        if (length < MinLength || length > MaxLength) { ThrowLength(length); }
    }

    /// <summary>Throws if a number needs more bytes than the option allows.</summary>
    internal void ThrowUnlessFits(uint value, int length)
    {
        if (length > MaxLength) { ThrowNumber(value, $"at most {(1UL << (MaxLength * 8)) - 1} is allowed"); }
    }

    /// <summary>Returns the number if it is within the limits; otherwise throws.</summary>
    internal uint Within(uint value, uint least, uint most)
    {
        if (value < least || value > most) { ThrowNumber(value, $"{least} to {most} are allowed"); }
        return value;
    }

    // Null if the bytes are not UTF-8. Almost all text is ASCII, which is faster to decode.
    private static string? ReadText(ReadOnlySpan<byte> value)
    {
        if (Ascii.IsValid(value)) { return Encoding.Latin1.GetString(value); }
        return Utf8.IsValid(value) ? Encoding.UTF8.GetString(value) : null;
    }

    private void ThrowLength(int length)
    {
        var limit = MinLength == MaxLength ? $"exactly {MaxLength}" : $"{MinLength} to {MaxLength}";
        throw new ArgumentOutOfRangeException(null, $"Option {this} is {length} bytes long; {limit} are allowed.");
    }

    private void ThrowNumber(uint value, string limit, string name = nameof(CoapOption<>.Value)) =>
        throw new ArgumentOutOfRangeException(name, value, $"{Name} (option {Number}) is {value}; {limit}.");

    /// <summary>Returns the declaration with instances that are reused for equal values.</summary>
    internal OptionDeclaration Shared() => new(this, SpaceBits, _isAllowed, isShared: true);

    private static ulong ToBits(CoapCode[] spaces)
    {
        var bits = spaces.Length == 0 ? OptionSpace.BitOf(CoapCode.Empty) : 0;
        foreach (var space in spaces)
        {
            if (!space.IsSignal)
            {
                throw new ArgumentException($"Code {space} has no number space; only signaling codes have one (RFC 8323, section 5.2).", nameof(spaces));
            }
            bits |= OptionSpace.BitOf(space);
        }
        return bits;
    }
}
