using System.Globalization;

namespace CoAP;

/// <summary>The 16-bit number that matches acknowledgements to messages and identifies duplicates (RFC 7252, section 3).</summary>
/// <param name="Value">0 to 65,535.</param>
public readonly record struct MessageId(ushort Value) : ISeededKey
{
    /// <inheritdoc/>
    public override int GetHashCode() => SeededHash.Of(Value);

    /// <summary>Returns the number in decimal.</summary>
    public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);
}
