namespace CoAP.Options;

/// <summary>Makes the typed form of one option from its bytes.</summary>
public interface IOptionFactory
{
    /// <summary>The option number, 0 to 65,535.</summary>
    int Number { get; }

    /// <summary>Makes the option, or answers <see langword="null"/> where the value breaks the option's limits (RFC 7252, section 5.4.3).</summary>
    CoapOption? Create(ReadOnlySpan<byte> value);
}
