using System.Text;
using System.Text.Unicode;

namespace CoAP.Options;

/// <summary>What an RFC says of an option: number, name, limits and repeatability. Declared once, on the option's type.</summary>
/// <remarks>Immutable and safe for concurrent use. Add a declaration of your own to an <see cref="OptionRegistry"/> to have messages understand it.</remarks>
public sealed class OptionDeclaration : IOptionFactory
{
    private const int SmallNumbers = 64;

    // One of these is set and says what kind of value the option has.
    private readonly Func<uint, CoapOption>? _uint;
    private readonly Func<string, CoapOption>? _text;
    private readonly Func<ReadOnlyMemory<byte>, CoapOption>? _opaque;
    private readonly Func<CoapOption>? _empty;
    private readonly IOptionFactory? _factory;
    private readonly CoapCode[] _spaces;
    private readonly OptionValueRule? _isAllowed;

    // Options of numbers in one byte, made once for all threads. Two may make the same one at the same time: one of both stays, and both are equal.
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

    /// <summary>Whether a message may carry it more than once (RFC 7252, section 5.4.5).</summary>
    public bool IsRepeatable { get; }

    /// <summary>The signaling codes in whose number space the option lives; empty for the common space (RFC 8323, section 5.2).</summary>
    public IReadOnlyList<CoapCode> Spaces => _spaces;

    /// <summary>A bit for each number space, see <see cref="OptionSpace.Bit"/>.</summary>
    internal ulong SpaceBits { get; }

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
        return new(number, name, minLength, maxLength, repeatable, create, spaces);
    }

    /// <summary>Declares an option with a text value in UTF-8 (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration String(
        int number, string name, int minLength, int maxLength, Func<string, CoapOption> create, bool repeatable = false, params CoapCode[] spaces) =>
        new(number, name, minLength, maxLength, repeatable, create, spaces);

    /// <summary>Declares an option whose value is a sequence of bytes (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration Opaque(
        int number,
        string name,
        int minLength,
        int maxLength,
        Func<ReadOnlyMemory<byte>, CoapOption> create,
        bool repeatable = false,
        params CoapCode[] spaces) =>
        new(number, name, minLength, maxLength, repeatable, create, spaces);

    /// <summary>Declares an option without a value (RFC 7252, section 3.2).</summary>
    /// <inheritdoc cref="UInt" path="/param"/>
    public static OptionDeclaration Empty(int number, string name, Func<CoapOption> create, params CoapCode[] spaces) =>
        new(number, name, 0, 0, repeatable: false, create, spaces);

    /// <summary>Declares an option that a factory creates; the factory alone decides which values are valid.</summary>
    /// <remarks>The name is that of the factory's type. Returns a factory that is a declaration as it is.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The number is not an option number.</exception>
    /// <exception cref="ArgumentException">A space is not a signaling code.</exception>
    public static OptionDeclaration Of(IOptionFactory factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return factory as OptionDeclaration ?? new(
            factory.Number, factory.GetType().Name, 0, OptionFormat.MaxValueLength, factory.IsRepeatable, factory, [.. factory.Spaces]);
    }

    /// <summary>Returns the declaration with a rule for received values, beyond length and, for text, UTF-8. All rules of a declaration must allow
    /// a value.</summary>
    /// <remarks>A received value that the rule forbids is treated like one of a wrong length (RFC 7252, section 5.4.3). The constructor of the
    /// option's type checks values that are to be sent.</remarks>
    public OptionDeclaration OnlyIf(OptionValueRule rule)
    {
        ArgumentNullException.ThrowIfNull(rule);
        return new(this, SpaceBits, _isAllowed is { } first ? value => first(value) && rule(value) : rule, _isShared);
    }

    /// <summary>Returns the declaration for requests, responses and all signaling messages, as RFC 8613, section 13.3 declares OSCORE.</summary>
    public OptionDeclaration InEverySpace() => new(this, ulong.MaxValue, _isAllowed, _isShared);

    /// <summary>Whether the bytes are a value that this option may have: length, UTF-8 for text, and what the option's RFC says beyond that.</summary>
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
        else if (_isShared && value.Length <= SharedOptions.MaxLength) { return SharedOptions.GetOrMake(this, value); }
        return Make(value);
    }

    /// <summary>Makes the option, whatever was made before.</summary>
    internal CoapOption? Make(ReadOnlySpan<byte> value)
    {
        if (value.Length < MinLength || value.Length > MaxLength || (_isAllowed is not null && !_isAllowed(value))) { return null; }
        // A leaf of a user's may have bounds of its own: the peer broke the rule, so no exception leaves.
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

    /// <summary>The number and name, such as "11 (Uri-Path)".</summary>
    public override string ToString() => $"{Number} ({Name})";

    internal void ThrowUnlessLength(int length)
    {
        if (length < MinLength || length > MaxLength) { ThrowLength(length); }
    }

    // Null for what is no UTF-8. Almost all text is ASCII, for which there is a shorter way.
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

    /// <summary>The declaration with instances that are used again for equal values.</summary>
    internal OptionDeclaration Shared() => new(this, SpaceBits, _isAllowed, isShared: true);

    private static ulong ToBits(CoapCode[] spaces)
    {
        var bits = spaces.Length == 0 ? OptionSpace.BitOf(CoapCode.Empty) : 0;
        foreach (var space in spaces)
        {
            if (!space.IsSignal)
            {
                throw new ArgumentException($"Code {space} has no number space of its own; only 7.xx have (RFC 8323, section 5.2).", nameof(spaces));
            }
            bits |= OptionSpace.BitOf(space);
        }
        return bits;
    }
}
