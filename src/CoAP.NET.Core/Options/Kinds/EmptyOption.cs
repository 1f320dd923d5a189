namespace CoAP.Options;

/// <summary>An option without a value; its presence is the information (RFC 7252, section 3.2).</summary>
public abstract record EmptyOption : CoapOption
{
    /// <summary>Creates an option with the number of the declaration.</summary>
    protected EmptyOption(OptionDeclaration declaration)
        : base(declaration.Number)
    {
    }

    /// <inheritdoc/>
    public sealed override int ValueLength => 0;

    /// <inheritdoc/>
    public sealed override void WriteValue(Span<byte> destination)
    {
    }
}
