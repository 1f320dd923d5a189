using System.Globalization;

namespace CoAP.Formats;

/// <summary>The value of a measurement: a number, a text, a Boolean value or bytes (RFC 8428, section 4.2).</summary>
/// <remarks>Immutable, except for bytes, which are not copied. Two values are equal if their kinds and contents are equal.</remarks>
public readonly struct SenmlValue : IEquatable<SenmlValue>
{
    private readonly double _number;
    private readonly string? _text;
    private readonly ReadOnlyMemory<byte> _data;

    /// <summary>Creates a number.</summary>
    public SenmlValue(double value) => _number = value;

    /// <summary>Creates a text.</summary>
    public SenmlValue(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        (Kind, _text) = (SenmlValueKind.Text, value);
    }

    /// <summary>Creates a Boolean value.</summary>
    public SenmlValue(bool value) => (Kind, _number) = (SenmlValueKind.Boolean, value ? 1 : 0);

    /// <summary>Creates a value of bytes. They are not copied.</summary>
    public SenmlValue(ReadOnlyMemory<byte> value) => (Kind, _data) = (SenmlValueKind.Data, value);

    /// <summary>The kind of the value.</summary>
    public SenmlValueKind Kind { get; }

    /// <summary>The number.</summary>
    /// <exception cref="CoapPayloadException">The value has another kind.</exception>
    public double Number => Kind == SenmlValueKind.Number ? _number : throw Mismatch(SenmlValueKind.Number);

    /// <summary>The text.</summary>
    /// <exception cref="CoapPayloadException">The value has another kind.</exception>
    public string Text => Kind == SenmlValueKind.Text ? _text! : throw Mismatch(SenmlValueKind.Text);

    /// <summary>The Boolean value.</summary>
    /// <exception cref="CoapPayloadException">The value has another kind.</exception>
    public bool Boolean => Kind == SenmlValueKind.Boolean ? _number != 0 : throw Mismatch(SenmlValueKind.Boolean);

    /// <summary>The bytes.</summary>
    /// <exception cref="CoapPayloadException">The value has another kind.</exception>
    public ReadOnlyMemory<byte> Data => Kind == SenmlValueKind.Data ? _data : throw Mismatch(SenmlValueKind.Data);

    /// <summary>Converts a number.</summary>
    public static implicit operator SenmlValue(double value) => new(value);

    /// <summary>Converts a text.</summary>
    public static implicit operator SenmlValue(string value) => new(value);

    /// <summary>Converts a Boolean value.</summary>
    public static implicit operator SenmlValue(bool value) => new(value);

    /// <summary>Converts bytes. They are not copied.</summary>
    public static implicit operator SenmlValue(byte[] value) => new((ReadOnlyMemory<byte>)value);

    /// <summary>Converts bytes. They are not copied.</summary>
    public static implicit operator SenmlValue(ReadOnlyMemory<byte> value) => new(value);

    /// <summary>Returns whether two values have the same kind and content.</summary>
    public static bool operator ==(SenmlValue left, SenmlValue right) => left.Equals(right);

    /// <summary>Returns whether two values differ in kind or content.</summary>
    public static bool operator !=(SenmlValue left, SenmlValue right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(SenmlValue other) =>
        Kind == other.Kind && _number.Equals(other._number) && _text == other._text && _data.Span.SequenceEqual(other._data.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is SenmlValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => SeededComparer<(SenmlValueKind, double, string?)>.Default
        .GetHashCode((Kind, _number, Kind == SenmlValueKind.Data ? Convert.ToBase64String(_data.Span) : _text));

    /// <summary>Returns the value as text; bytes as hexadecimal digits.</summary>
    public override string ToString() => Kind switch
    {
        SenmlValueKind.Number => _number.ToString(CultureInfo.InvariantCulture),
        SenmlValueKind.Text => _text!,
        SenmlValueKind.Boolean => _number != 0 ? "true" : "false",
        _ => Convert.ToHexStringLower(_data.Span),
    };

    /// <summary>Returns a kind as it is named in error messages.</summary>
    internal static string Describe(SenmlValueKind kind) => kind switch
    {
        SenmlValueKind.Number => "a number",
        SenmlValueKind.Text => "a text",
        SenmlValueKind.Boolean => "a Boolean value",
        _ => "a byte string",
    };

    // Values come from peers. A wrong kind is therefore a fault of the payload and not of the program.
    private CoapPayloadException Mismatch(SenmlValueKind required) => new($"The value is {Describe(Kind)}; {Describe(required)} is required.");
}
