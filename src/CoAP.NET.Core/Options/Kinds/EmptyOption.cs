namespace CoAP.Options;

/// <summary>An option that says something by being there (RFC 7252, section 3.2).</summary>
public abstract record EmptyOption : CoapOption
{
    /// <summary>Takes the number of the declaration.</summary>
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
