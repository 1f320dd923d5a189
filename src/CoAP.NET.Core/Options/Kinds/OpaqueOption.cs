namespace CoAP.Options;

/// <summary>An option with a sequence of bytes (RFC 7252, section 3.2). Two options are equal if they have the same type, number and bytes.</summary>
public abstract record OpaqueOption : CoapOption<ReadOnlyMemory<byte>>
{
    /// <summary>Creates an option with a value. The bytes are not copied and must not change afterwards.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The length of the value is not allowed.</exception>
    protected OpaqueOption(OptionDeclaration declaration, ReadOnlyMemory<byte> value)
        : base(declaration.Number, value, declaration.IsRepeatable) => declaration.ThrowUnlessLength(value.Length);

    // An option without a declaration may be repeated: no rule forbids it.
    private protected OpaqueOption(int number, ReadOnlyMemory<byte> value)
        : base(number, value, isRepeatable: true)
    {
    }

    /// <inheritdoc/>
    public sealed override int ValueLength => Value.Length;

    /// <inheritdoc/>
    public sealed override void WriteValue(Span<byte> destination) => Value.Span.CopyTo(destination);

    // A record would compare the address of the memory; two options are equal if their bytes are.

    /// <inheritdoc/>
    public virtual bool Equals(OpaqueOption? other) =>
        other is not null && EqualityContract == other.EqualityContract && Number == other.Number && Value.Span.SequenceEqual(other.Value.Span);

    /// <inheritdoc/>
    public override int GetHashCode() => SeededHash.Combine(Number, SeededHash.Of(Value.Span));
}
