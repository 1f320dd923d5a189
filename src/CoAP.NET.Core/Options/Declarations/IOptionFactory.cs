namespace CoAP.Options;

/// <summary>Creates the typed form of one option from the bytes of its value.</summary>
/// <remarks>
/// An <see cref="OptionDeclaration"/> is a factory with limits and suits most options. Implement this interface if the value has none of the
/// four formats of RFC 7252, section 3.2: derive the option from <see cref="CoapOption"/>, which writes the value, and add the factory with
/// <see cref="OptionRegistry.With"/>. Must be safe for concurrent use.
/// </remarks>
public interface IOptionFactory
{
    /// <summary>The option number, 0 to 65,535.</summary>
    int Number { get; }

    /// <summary>Whether a message may carry the option more than once (RFC 7252, section 5.4.5). Default: <see langword="false"/>.</summary>
    bool IsRepeatable => false;

    /// <summary>The signaling codes whose number space the option belongs to. Default: none, which means the common space (RFC 8323, section 5.2).</summary>
    IReadOnlyList<CoapCode> Spaces => [];

    /// <summary>Creates the option, or returns <see langword="null"/> if the value is not valid (RFC 7252, section 5.4.3). An
    /// <see cref="ArgumentException"/> means the same.</summary>
    CoapOption? Create(ReadOnlySpan<byte> value);
}
