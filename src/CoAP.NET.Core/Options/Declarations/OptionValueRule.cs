namespace CoAP.Options;

/// <summary>Decides whether a value is valid for an option; see <see cref="OptionDeclaration.OnlyIf"/>. Must be safe for concurrent use.</summary>
/// <param name="value">The bytes of the value. The length is within the limits of the option and may be 0. The rule must not throw.</param>
/// <returns><see langword="true"/> if the value is valid.</returns>
public delegate bool OptionValueRule(ReadOnlySpan<byte> value);
