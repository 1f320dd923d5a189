using System.Globalization;
using System.Numerics;

namespace CoAP.Options;

/// <summary>An option with a number in network byte order without leading zeros, 0 to 4 bytes (RFC 7252, section 3.2).</summary>
public abstract record UIntOption : CoapOption<uint>
{
    /// <summary>Takes the value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value needs more bytes than the option may have.</exception>
    protected UIntOption(OptionDeclaration declaration, uint value)
        : base(declaration, value)
    {
        // Zero is no bytes on the wire; an option of a fixed length of one byte writes it nevertheless.
        ValueLength = Math.Max(GetLength(value), declaration.MinLength);
        declaration.ThrowUnlessLength(ValueLength);
    }

    /// <inheritdoc/>
    public sealed override int ValueLength { get; }

    private protected override string Text => Value.ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public sealed override void WriteValue(Span<byte> destination)
    {
        var value = Value;
        for (var i = ValueLength - 1; i >= 0; i--)
        {
            destination[i] = (byte)value;
            value >>= 8;
        }
    }

    /// <summary>The bytes that a number needs: 0 for 0, 1 to 255, 2 to 65,535 and so on.</summary>
    internal static int GetLength(uint value) => (39 - BitOperations.LeadingZeroCount(value)) / 8;

    /// <summary>Reads up to four bytes; leading zeros are accepted (RFC 7252, section 3.2).</summary>
    internal static uint Read(ReadOnlySpan<byte> value)
    {
        var result = 0U;
        foreach (var part in value) { result = (result << 8) | part; }
        return result;
    }
}
