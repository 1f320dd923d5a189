using System.Text;

namespace CoAP.Options;

/// <summary>An option with text in UTF-8 (RFC 7252, section 3.2).</summary>
public abstract record StringOption : CoapOption<string>
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Creates an option with a value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The length of the text in UTF-8 is not allowed.</exception>
    /// <exception cref="ArgumentException">The text contains half of a surrogate pair, which UTF-8 cannot encode.</exception>
    protected StringOption(OptionDeclaration declaration, string value)
        : base(declaration.Number, value, declaration.IsRepeatable)
    {
        ArgumentNullException.ThrowIfNull(value);
        ValueLength = Ascii.IsValid(value) ? value.Length : Strict.GetByteCount(value);
        declaration.ThrowUnlessLength(ValueLength);
    }

    /// <inheritdoc/>
    public sealed override int ValueLength { get; }

    /// <inheritdoc/>
    protected override string ValueText => Value;

    /// <inheritdoc/>
    public sealed override void WriteValue(Span<byte> destination) => Encoding.UTF8.GetBytes(Value, destination);
}
