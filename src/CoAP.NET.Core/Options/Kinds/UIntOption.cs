using System.Globalization;
using System.Numerics;

namespace CoAP.Options;

/// <summary>An option with an unsigned number of 0 to 4 bytes in network byte order without leading zeros (RFC 7252, section 3.2).</summary>
public abstract record UIntOption : CoapOption<uint>
{
    /// <summary>Creates an option with a value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value needs more bytes than the option allows.</exception>
    protected UIntOption(OptionDeclaration declaration, uint value)
        : base(declaration.Number, value, declaration.IsRepeatable)
    {
        // Zero takes no bytes, except in an option with a fixed length.
        ValueLength = Math.Max(GetLength(value), declaration.MinLength);
        declaration.ThrowUnlessFits(value, ValueLength);
    }

    /// <inheritdoc/>
    public sealed override int ValueLength { get; }

    /// <inheritdoc/>
    protected override string ValueText => Value.ToString(CultureInfo.InvariantCulture);

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

    /// <summary>Returns the number of bytes that a value needs: 0 for 0, 1 for 1 to 255, 2 for 256 to 65,535 and so on.</summary>
    internal static int GetLength(uint value) => (39 - BitOperations.LeadingZeroCount(value)) / 8;

    /// <summary>Reads up to four bytes and accepts leading zeros (RFC 7252, section 3.2).</summary>
    internal static uint Read(ReadOnlySpan<byte> value)
    {
        var result = 0U;
        foreach (var part in value) { result = (result << 8) | part; }
        return result;
    }
}
