namespace CoAP.Options;

/// <summary>Decides whether an option may have a value, see <see cref="OptionDeclaration.OnlyIf"/>. Must be safe for concurrent use.</summary>
/// <param name="value">The bytes of the value. Their number is within the limits of the option and may be 0. The rule must not throw.</param>
/// <returns>Whether the option may have the value.</returns>
public delegate bool OptionValueRule(ReadOnlySpan<byte> value);
